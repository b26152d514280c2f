#include "tune/TextLines.h"

#include <algorithm>

#include "emit/EmitPlan.h"
#include "ir/PlanWalk.h"
#include "passes/host/PlanEdit.h"

namespace hone::tune {

namespace {

size_t linesOf(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

}  // namespace

size_t linesAdded(const ir::Plan& plan) {
  emit::EmitOptions options;
  options.language = plan.original->language;
  const auto* launch = ir::onlyStep<ir::LaunchStep>(plan);
  if (launch && passes::keepsGeometry(*launch, *plan.original)) {
    const emit::EmitResult body = emit::emitBody(*launch->kernel, options);
    return body.ok() ? linesOf(body.text) : 0;
  }
  emit::PlanSite site;
  site.title = site.original = plan.original->name;
  site.space = plan.original->name + "_hone";
  site.launch = plan.original->name + "_launch";
  const emit::PlanText text = emit::emitPlan(plan, site, options);
  return text.ok() ? linesOf(text.text) : 0;
}

}  // namespace hone::tune
