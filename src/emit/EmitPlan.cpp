// A plan as CUDA: a namespace with the new kernels and their constants, then the function that launches them.
#include "emit/EmitPlan.h"

#include <utility>

#include "emit/CudaPlan.h"
#include "emit/EmitPlanOpenCL.h"
#include "emit/EmitSelfCheck.h"
#include "emit/Marks.h"
#include "emit/TakenValues.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/HostIteration.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

bool hasWordOf(const std::string& text, const std::set<std::string>& words) {
  Names list(Language::Cuda);
  list.reserve(text);
  for (const std::string& word : words)
    if (list.isReserved(word) && !isWordOf(Language::Cuda, word)) return true;
  return false;
}

CudaPlan::CudaPlan(const Plan& p, const PlanSite& s, const EmitOptions& o)
    : plan(p),
      site(s),
      options(o),
      kernels(
          p,
          [this](const std::string& name) { return site.macros.contains(name) || site.taken.contains(name); },
          !s.hostOnly),
      host(o, plan.original->language, false),
      countsIterations(doesIterations(p)) {
  host.comparesAlike = true;
  for (const TemplateArg& a : plan.original->templateArgs) templateParams.insert(a.param);
}

PlanText CudaPlan::print() {
  if (site.hostOnly) return printHost();
  taken = takenValues(*plan.original, site.macros, options);
  std::string inner;
  if (!taken.code.empty()) {
    valuesHold = "kValuesHold";
    while (site.macros.contains(valuesHold) || site.taken.contains(valuesHold)) valuesHold += "_2";
    inner = "// Made for these values: with others the original runs.\nconstexpr bool " + valuesHold + " = " +
            taken.code + ";\n";
  }
  inner += constantLines(kernels.constants, Language::Cuda);
  if (!inner.empty()) inner += "\n";
  std::vector<std::string> story;
  nameKernels();
  for (NewKernel& k : kernels.kernels) inner += kernelText(k);
  while (inner.ends_with("\n\n")) inner.pop_back();
  if (kernels.kernels.size() == 1) story = kernels.kernels[0].kernel->story;
  std::string launch = launchFunction(), check;
  if (!site.selfCheck.empty() && doesIterations(plan))
    result.errors.push_back(
        {"a self-check compares single launches, and this plan does several at once", {}});
  else if (!site.selfCheck.empty()) {
    SelfCheckNames called{site.selfCheck, site.original, site.launch + site.launchArguments, grid, block,
                          shared,         stream};
    check = "\n" + selfCheckFunction(*plan.original, called, host);
    keepErrors(host);
  }

  std::string text = headers();
  if (!kernels.kernels.empty() || !valuesHold.empty())
    text += "namespace " + site.space + " {\n" + inner + "}  // namespace " + site.space + "\n" +
            (site.launchArguments.empty() ? "" : "\n");
  auto forHost = [&](const std::string& code) {
    return site.deviceOnly && !code.empty() ? "#ifndef __CUDACC_RTC__\n" + code + "#endif\n" : code;
  };
  const std::string guard = guardLine(taken.directive) + "\n";
  if (!site.launchArguments.empty())
    text = guard + text + forHost(launch) + "#endif\n" + forHost(check);
  else
    text = (text.empty() ? "" : guard + text + "#endif\n\n") + forHost(launch) + forHost(check);
  if (site.leavesC) text = "extern \"C++\" {\n" + text + "}  // extern \"C++\"\n";
  if (result.ok()) {
    result.text = placedComment(planTitle(site, story), options);
    const std::string code = formatCode(text, options);
    // Lines for the preprocessor begin where lines do.
    while (code.starts_with('#') && (result.text.ends_with(' ') || result.text.ends_with('\t')))
      result.text.pop_back();
    result.text += code;
    while (!result.text.empty() && (result.text.back() == '\n' || result.text.back() == '\r'))
      result.text.pop_back();
  }
  return std::move(result);
}

PlanText CudaPlan::printHost() {
  size_t number = 0;
  for (NewKernel& k : kernels.kernels) {
    k.name = kernels.kernels.size() == 1 ? site.space : site.space + "_" + std::to_string(++number);
    auto expected = std::make_shared<Kernel>(*k.kernel);
    expected->name = expected->qualifiedName = k.name;
    bounds(k, *expected);
    result.kernels.push_back({k.name, expected});
  }
  host.types.useSpelling = false;
  host.types.recordName = [](const Record& r) { return asIdentifier(r.name); };
  std::string launch = launchFunction();
  if (result.ok()) {
    std::vector<std::string> story;
    if (kernels.kernels.size() == 1) story = kernels.kernels[0].kernel->story;
    result.text = placedComment(planTitle(site, story), options) + formatCode(launch, options);
  }
  return std::move(result);
}

std::string CudaPlan::headers() {
  const Expr* found = nullptr;
  for (const NewKernel& k : kernels.kernels)
    walkExprs(k.kernel->body, [&](const Expr& e) {
      const auto* c = e.as<Call>();
      if (c && c->intrinsic && c->intrinsic->traits.isPipeline) found = &e;
    });
  if (!found) return "";
  if (plan.original->qualifiedName.find("::") != std::string::npos)
    result.errors.push_back(
        {"asynchronous copies need a header, which cannot be included inside a namespace", found->loc});
  return "#include <cuda_pipeline_primitives.h>\n\n";
}

void CudaPlan::keepErrors(const Emitter& e) {
  result.errors.insert(result.errors.end(), e.errors.begin(), e.errors.end());
}

void CudaPlan::leaveTemplate(TypeText& types) const {
  if (templateParams.empty()) return;
  types.spellingOf = [this](const Type& t) {
    return hasWordOf(t.spelling, templateParams) ? std::string() : t.spelling;
  };
}

void CudaPlan::nameKernels() {
  size_t number = 0;
  std::set<std::string> used;
  for (NewKernel& k : kernels.kernels) {
    ++number;
    std::string wanted = kernels.kernels.size() == 1             ? "kernel"
                         : k.kernel->name != plan.original->name ? k.kernel->name
                                                                 : "kernel_" + std::to_string(number);
    Emitter e(options, k.kernel->language, false);
    e.collectWords(k.kernel->body);
    // The launch function names the original without its namespace, and the constants as if they were there.
    e.names.reserve(site.original);
    std::string name = wanted;
    for (int n = 2; e.names.isReserved(name) || site.macros.contains(name) || !used.insert(name).second; ++n)
      name = wanted + "_" + std::to_string(n);
    k.name = name;
  }
}

std::string CudaPlan::bounds(const NewKernel& k, Kernel& expected) {
  auto size = commonBlock(k);
  if (!size) {
    if (!expected.launchBounds || expected.launchBounds->maxThreads <= 0) return "";
  } else {
    const int threads = static_cast<int>((*size)[0] * (*size)[1] * (*size)[2]);
    LaunchBounds b;
    b.maxThreads = threads;
    if (expected.launchBounds && expected.launchBounds->maxThreads == threads) b = *expected.launchBounds;
    expected.launchBounds = b;
  }
  const LaunchBounds& b = *expected.launchBounds;
  auto named = k.threads ? k.constants.find(k.threads) : k.constants.end();
  std::string text = "__launch_bounds__(" + (named != k.constants.end() && named->second.value == b.maxThreads
                                                 ? named->second.name
                                                 : std::to_string(b.maxThreads));
  if (b.minBlocks > 0) text += ", " + std::to_string(b.minBlocks);
  if (b.minBlocks > 0 && b.maxCluster > 0) text += ", " + std::to_string(b.maxCluster);
  return text + ") ";
}

std::string CudaPlan::kernelText(NewKernel& k) {
  Emitter e(options, k.kernel->language, false);
  e.chosenConstants = k.constants;
  e.freeParameters = true;
  auto expected = std::make_shared<Kernel>(*k.kernel);
  expected->name = k.name;
  std::string head = (site.isStatic ? "static __global__ " : "__global__ ") + bounds(k, *expected);
  std::string body = e.bodyOf(k.kernel->params, k.kernel->body, k.kernel.get());
  leaveTemplate(e.types);
  std::string params;
  for (const VarPtr& p : k.kernel->params) params += (params.empty() ? "" : ", ") + e.declarationOf(*p);
  keepErrors(e);
  result.kernels.push_back({k.name, expected});
  std::string text;
  if (kernels.kernels.size() > 1)
    for (const std::string& sentence : k.kernel->story) text += commentLines(sentence);
  return text + head + "void " + k.name + "(" + params + ") " + body + "\n";
}

namespace {

// Two choices of which one takes place, `if (a) …; if (!a) …;`, as one.
Plan withElse(const Plan& plan) {
  auto of = [](const PlanPtr& part) { return std::make_shared<const Plan>(withElse(*part)); };
  Plan out = plan;
  out.steps.clear();
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    Step step = plan.steps[i];
    if (auto* choice = std::get_if<ChoiceStep>(&step)) {
      choice->then = of(choice->then), choice->otherwise = of(choice->otherwise);
      const auto* next = i + 1 < plan.steps.size() ? std::get_if<ChoiceStep>(&plan.steps[i + 1]) : nullptr;
      if (next && choice->otherwise->steps.empty() && next->otherwise->steps.empty() &&
          equal(next->cond, negated(choice->cond)))
        choice->otherwise = of(next->then), ++i;
    }
    if (auto* loop = std::get_if<LoopStep>(&step)) loop->body = of(loop->body);
    out.steps.push_back(std::move(step));
  }
  return out;
}

}  // namespace

PlanText emitPlan(const Plan& given, const PlanSite& site, const EmitOptions& options) {
  const Plan plan = withElse(given);
  return options.language == Language::OpenCL ? emitPlanOpenCL(plan, site, options)
                                              : CudaPlan(plan, site, options).print();
}

}  // namespace hone::emit
