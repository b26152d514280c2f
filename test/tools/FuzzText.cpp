#include "FuzzText.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "emit/EmitPlan.h"
#include "emit/PlanKernels.h"
#include "ir/Error.h"
#include "ir/Walk.h"

namespace hone::test {
namespace {

ir::Module alone(const ir::Module& module, const ir::KernelPtr& kernel) {
  ir::Module out = module;
  out.kernels = {kernel};
  std::set<const ir::Function*> reached;
  ir::walkExprs(kernel->body, [&](const ir::Expr& e) {
    if (const auto* call = e.as<ir::Call>(); call && call->function) reached.insert(call->function.get());
  });
  std::erase_if(out.functions, [&](const ir::FunctionPtr& f) { return !reached.contains(f.get()); });
  std::erase_if(out.records, [&](const ir::RecordPtr& r) { return r->name != "Point" + kernel->name; });
  return out;
}

// The plan with other kernels in its launches.
class WithKernels {
 public:
  explicit WithKernels(std::function<ir::KernelPtr(const ir::LaunchStep&)> chosen)
      : choose(std::move(chosen)) {}

  ir::PlanPtr operator()(const ir::Plan& plan) const {
    auto out = std::make_shared<ir::Plan>();
    out->original = plan.original;
    for (const ir::Step& step : plan.steps) out->steps.push_back(one(step));
    return out;
  }

 private:
  ir::Step one(const ir::Step& step) const {
    if (const auto* launch = std::get_if<ir::LaunchStep>(&step)) {
      ir::LaunchStep changed = *launch;
      changed.kernel = choose(*launch);
      return changed;
    }
    if (const auto* choice = std::get_if<ir::ChoiceStep>(&step))
      return ir::ChoiceStep{choice->cond, (*this)(*choice->then), (*this)(*choice->otherwise)};
    if (const auto* loop = std::get_if<ir::LoopStep>(&step)) {
      ir::LoopStep changed = *loop;
      changed.body = (*this)(*loop->body);
      return changed;
    }
    return step;
  }

  std::function<ir::KernelPtr(const ir::LaunchStep&)> choose;
};

const frontend::ImportedKernel* named(const frontend::ImportResult& imported, const std::string& name) {
  const auto found = std::ranges::find(imported.kernels, name, &frontend::ImportedKernel::qualifiedName);
  return found == imported.kernels.end() ? nullptr : &*found;
}

}  // namespace

frontend::ImportResult importText(const std::string& source, bool isOpenCl) {
  frontend::SourceRequest request;
  request.path = isOpenCl ? "/random/naive.cl" : "/random/naive.cu";
  request.contents = source;
  request.headers = frontend::CudaHeaders::BuiltIn;
  request.useCache = false;
  return frontend::importFile(request);
}

void translateToOpenCl(FuzzSubject& subject, const ir::Module& module) {
  emit::EmitOptions options;
  options.language = ir::Language::OpenCL;
  const emit::EmitResult text = emit::emitModule(alone(module, subject.kernel), options);
  if (!text.ok()) return;
  subject.naive.isOpenCl = true;
  importInto(subject, text.text);
}

ReadBack readBack(const FuzzSubject& subject, const ir::Plan& plan) {
  emit::PlanSite site;
  site.title = site.original = plan.original->name;
  site.space = plan.original->name + "_hone";
  site.launch = plan.original->name + "_launch";
  emit::EmitOptions options;
  options.language = plan.original->language;
  const emit::PlanText text = emit::emitPlan(plan, site, options);
  if (!text.ok()) return {};
  const std::string source = subject.naive.source + text.text + "\n";
  const frontend::ImportResult imported = importText(source, subject.naive.isOpenCl);
  std::string errors = imported.parsed ? "" : imported.failure;
  for (const frontend::Diagnostic& one : imported.diagnostics)
    if (one.severity >= frontend::Severity::Error) errors += one.rendering + one.text + "\n";
  if (!errors.empty()) return {nullptr, "the text has errors: " + errors + source};
  const emit::PlanKernels kernels(plan, [](const std::string&) { return false; });
  std::string problem;
  const WithKernels rebuilt([&](const ir::LaunchStep& launch) -> ir::KernelPtr {
    const emit::NewKernel* mine = kernels.of(launch);
    if (!mine) return launch.kernel;
    const std::string& name = text.kernels.at(static_cast<size_t>(mine - kernels.kernels.data())).name;
    const frontend::ImportedKernel* found = named(imported, name);
    if (!found) found = named(imported, site.space + "::" + name);
    if (!found || !found->kernel) {
      problem =
          "the text does not read back: " + (found ? found->reason : name + " is not there") + "\n" + source;
      return launch.kernel;
    }
    return found->kernel;
  });
  ir::PlanPtr made = rebuilt(plan);
  if (!problem.empty()) return {nullptr, problem};
  return {made, ""};
}

void writePair(const FuzzSubject& subject, const std::vector<passes::PassCall>& calls,
               const std::string& directory) {
  const std::string file = subject.naive.name + ".cu";
  std::ofstream(directory + "/" + file) << subject.naive.source;
  passes::Recipe recipe;
  recipe.calls = calls;
  std::vector<std::string> sizes, params, ignored;
  for (const auto& one : subject.naive.sizes) {
    std::vector<std::string> values;
    for (const auto& [name, value] : one) values.push_back(fmt::format(R"("{}": {})", name, value));
    sizes.push_back("{" + fmt::format("{}", fmt::join(values, ", ")) + "}");
  }
  for (const ir::VarPtr& param : subject.kernel->params) params.push_back('"' + param->name + '"');
  for (const std::string& name : subject.setup.run.ignored) ignored.push_back('"' + name + '"');
  const auto& b = subject.setup.block;
  const auto& launched = subject.naive.block;
  std::ofstream out(directory + "/pairs.jsonl", std::ios::app);
  out << fmt::format(
      R"({{"file": "{}", "kernel": "{}", "recipe": "{}", "block": [{}, {}, {}], "launched": [{}, {}, {}], )"
      R"("grid": "{}", "sizes": [{}], "params": [{}], "temporaries": [{}], "reassociate": {}, "noalias": {}, )"
      R"("restricted": {}, "target": "{}"}})"
      "\n",
      file, subject.naive.name, passes::str(recipe), b[0], b[1], b[2], launched[0], launched[1], launched[2],
      subject.naive.grid, fmt::join(sizes, ", "), fmt::join(params, ", "), fmt::join(ignored, ", "),
      subject.setup.run.reassociate, subject.setup.assumeNoalias, subject.naive.isRestricted,
      subject.setup.target->name);
  if (!out) throw Error("cannot write to " + directory);
}

}  // namespace hone::test
