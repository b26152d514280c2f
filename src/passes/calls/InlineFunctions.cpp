#include "passes/calls/InlineFunctions.h"

#include <fmt/core.h>

#include <set>

#include "ir/InlineCalls.h"
#include "ir/Walk.h"

namespace hone::passes {

namespace {

// Names of the wanted functions that the kernel calls, directly or below one.
std::set<std::string> calledFunctions(const ir::Kernel& kernel,
                                      const std::function<bool(const ir::Function&)>& wanted) {
  std::set<std::string> names;
  std::set<const ir::Function*> seen;
  std::function<void(const ir::StmtPtr&)> look = [&](const ir::StmtPtr& body) {
    ir::walkExprs(body, [&](const ir::Expr& e) {
      const auto* call = e.as<ir::Call>();
      if (!call || !call->function || !seen.insert(call->function.get()).second) return;
      if (wanted(*call->function)) names.insert(call->function->name);
      if (call->function->body) look(call->function->body);
    });
  };
  look(kernel.body);
  return names;
}

}  // namespace

LaunchResult inlineFunctions(const ir::LaunchStep& launch, const InlineOptions& options, PassContext&) {
  const bool all = options.all.value_or(false);
  auto wanted = [all](const ir::Function& function) {
    return !function.isRunOnly && (all || ir::touchesMachine(function));
  };

  // 1. Decide: which functions go.
  const ir::KernelPtr kernel = launch.kernel;
  std::set<std::string> names = calledFunctions(*kernel, wanted);
  LaunchResult result{launch, nullptr, {}};
  if (names.empty()) {
    result.remarks.push_back({RemarkKind::Note, kernel->loc, kernel->name,
                              all ? "calls no function to inline"
                                  : "calls no function that touches memory, coordinates or barriers"});
    return result;
  }
  // 2. Rewrite.
  result.launch->kernel = ir::inlineCalls(kernel, wanted);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "`" : ", `") + name + "`";
  result.remarks.push_back({RemarkKind::Done, kernel->loc, kernel->name, fmt::format("inlined {}", list)});
  return result;
}

const PassOf<InlineOptions>& inlinePass() {
  static const PassOf<InlineOptions> pass =
      PassOf<InlineOptions>("inline",
                            "Calls of device functions that touch memory, coordinates or barriers are "
                            "replaced by their bodies.",
                            inlineFunctions)
          .with({.keepsAccesses = true})
          .flag(&InlineOptions::all, "all", "all=1 inlines every call of a device function");
  return pass;
}

}  // namespace hone::passes
