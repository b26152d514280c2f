// A plan as CUDA: a namespace with the new kernels and their constants, then the function that launches them.
#include "emit/EmitPlan.h"

#include <algorithm>
#include <utility>

#include "emit/EmitPlanOpenCL.h"
#include "emit/EmitSelfCheck.h"
#include "emit/PlanFormula.h"
#include "emit/PlanKernels.h"
#include "emit/PlanTests.h"
#include "emit/TakenValues.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Round.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

bool mentions(const std::string& text, const std::set<std::string>& words) {
  Names list(Language::Cuda);
  list.reserve(text);
  for (const std::string& word : words)
    if (list.isReserved(word) && !isWordOf(Language::Cuda, word)) return true;
  return false;
}

class CudaPlan {
 public:
  CudaPlan(const Plan& p, const PlanSite& s, const EmitOptions& o)
      : plan(p),
        site(s),
        options(o),
        kernels(
            p, [this](const std::string& name) { return site.macros.contains(name); }, !s.hostOnly),
        host(o, plan.original->language, false),
        countsRounds(doesRounds(p)) {
    for (const TemplateArg& a : plan.original->templateArgs) templateParams.insert(a.param);
  }

  PlanText print() {
    if (site.hostOnly) return printHost();
    std::string inner = options.keepNamedConstants ? takenValues(*plan.original, site.macros) : "";
    inner += constantLines(kernels.constants, Language::Cuda);
    if (!inner.empty()) inner += "\n";
    std::vector<std::string> story;
    nameKernels();
    for (NewKernel& k : kernels.kernels) inner += kernelText(k);
    while (inner.ends_with("\n\n")) inner.pop_back();
    if (kernels.kernels.size() == 1) story = kernels.kernels[0].kernel->story;
    std::string launch = launchFunction();
    if (!site.selfCheck.empty() && doesRounds(plan))
      result.errors.push_back(
          {"a self-check compares single launches, and this plan does several at once", {}});
    else if (!site.selfCheck.empty()) {
      SelfCheckNames called{site.selfCheck, site.original, site.launch, grid, block, shared, stream};
      launch += "\n" + selfCheckFunction(*plan.original, called, host);
      keepErrors(host);
    }

    std::string text = headers();
    if (!kernels.kernels.empty())
      text += "namespace " + site.space + " {\n" + inner + "}  // namespace " + site.space + "\n\n";
    if (site.deviceOnly) launch = "#ifndef __CUDACC_RTC__\n" + launch + "#endif\n";
    text += launch;
    if (site.leavesC) text = "extern \"C++\" {\n" + text + "}  // extern \"C++\"\n";
    if (result.ok()) {
      result.text = placedComment(planTitle(site, story), options) + formatCode(text, options);
      while (!result.text.empty() && (result.text.back() == '\n' || result.text.back() == '\r'))
        result.text.pop_back();
    }
    return std::move(result);
  }

 private:
  // The launch function alone, for a file of its own: no name of the source is in scope.
  PlanText printHost() {
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

  // What the new kernels need that the file may not have.
  std::string headers() {
    const Expr* found = nullptr;
    for (const NewKernel& k : kernels.kernels)
      walkExprs(k.kernel->body, [&](const Expr& e) {
        const auto* c = e.as<Call>();
        if (c && c->intrinsic && c->intrinsic->id.starts_with("pipeline_")) found = &e;
      });
    if (!found) return "";
    if (plan.original->qualifiedName.find("::") != std::string::npos)
      result.errors.push_back(
          {"asynchronous copies need a header, which cannot be included inside a namespace", found->loc});
    return "#include <cuda_pipeline_primitives.h>\n\n";
  }

  void keepErrors(const Emitter& e) {
    result.errors.insert(result.errors.end(), e.errors.begin(), e.errors.end());
  }

  // Names of template parameters mean nothing outside the template.
  void leaveTemplate(TypeText& types) const {
    if (templateParams.empty()) return;
    types.spellingOf = [this](const Type& t) {
      return mentions(t.spelling, templateParams) ? std::string() : t.spelling;
    };
  }

  // Extents that name a constant under another name than the text has are printed as numbers.
  static void checkExtents(Emitter& e) {
    std::set<std::string> renamed;
    for (const auto& [name, c] : e.chosenConstants)
      if (c.name != name) renamed.insert(name);
    auto before = e.types.extentName;
    e.types.extentName = [renamed, before](const std::string& text) {
      return before(text) && !mentions(text, renamed);
    };
  }

  void nameKernels() {
    size_t number = 0;
    std::set<std::string> used;
    for (NewKernel& k : kernels.kernels) {
      ++number;
      std::string wanted = kernels.kernels.size() == 1             ? "kernel"
                           : k.kernel->name != plan.original->name ? k.kernel->name
                                                                   : "kernel_" + std::to_string(number);
      Emitter e(options, k.kernel->language, false);
      e.collectWords(k.kernel->body);
      std::string name = wanted;
      for (int n = 2; e.names.isReserved(name) || site.macros.contains(name) || !used.insert(name).second;
           ++n)
        name = wanted + "_" + std::to_string(n);
      k.name = name;
    }
  }

  std::string bounds(const NewKernel& k, Kernel& expected) {
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
    auto named = k.constants.find(k.threads);
    std::string text =
        "__launch_bounds__(" + (named != k.constants.end() && named->second.value == b.maxThreads
                                    ? named->second.name
                                    : std::to_string(b.maxThreads));
    if (b.minBlocks > 0) text += ", " + std::to_string(b.minBlocks);
    if (b.minBlocks > 0 && b.maxCluster > 0) text += ", " + std::to_string(b.maxCluster);
    return text + ") ";
  }

  std::string kernelText(NewKernel& k) {
    Emitter e(options, k.kernel->language, false);
    e.chosenConstants = k.constants;
    e.freeParameters = true;
    checkExtents(e);
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

  // ---- the launch function

  std::string launchFunction() {
    host.chosenConstants = kernels.allConstants();
    host.onlyChosenConstants = true;
    host.plainNumbers = true;
    leaveTemplate(host.types);
    for (const ConstantLine& c : kernels.constants) host.names.reserve(c.name);
    host.names.reserve(site.original + " " + site.space + " " + site.launch);
    for (const std::string& macro : site.macros) host.names.reserve(macro);
    std::string originalArgs;
    for (const VarPtr& p : plan.original->params)
      for (TypePtr t = p->type; t; t = t->element) {
        host.names.reserve(t->spelling);
        if (t->record) host.names.reserve(t->record->name);
      }
    host.names.choose(plan.original->params, false, ir::block({}));
    grid = host.names.fresh("grid");
    block = host.names.fresh("block");
    shared = host.names.fresh("shared");
    stream = host.names.fresh("stream");
    host.coordinateText = [this](const Expr& e, const Coord& c) -> Printed {
      const std::string axis = std::string(".") + "xyz"[c.axis < 3 ? c.axis : 0];
      if (c.kind == CoordKind::GridDim) return {grid + axis, kPostfix, uint32()};
      if (c.kind == CoordKind::BlockDim) return {block + axis, kPostfix, uint32()};
      if (c.kind == CoordKind::GlobalSize)
        return {"(size_t)" + grid + axis + " * " + block + axis, kMultiply, uint64()};
      host.error("internal: a plan asks for a thread's place; please report", e.loc);
      return {"0", kPrimary, e.type};
    };
    std::string others;
    for (const VarPtr& p : plan.original->params) others += ", " + host.declarationOf(*p);
    const std::string returned = countsRounds ? host.types.type(plan.original->round->counter->type) : "void";
    if (countsRounds)
      for (const VarPtr& other : plan.original->round->others) {
        host.names.set(*other, host.names.fresh(other->name));
        others += ", " + host.declarationOf(*other);
      }
    result.declaration = returned + " " + site.launch + "(dim3 " + grid + ", dim3 " + block + ", size_t " +
                         shared + ", cudaStream_t " + stream + others + ");";

    std::string steps = body(plan) + (countsRounds ? returnAfter(1) : "");
    std::string uses, totals;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (threadsOf[axis]) {
        std::string letter(1, "xyz"[axis]);
        totals += "const long long " + host.names.of(*threadsOf[axis]) + " = (long long)" + grid + "." +
                  letter + " * " + block + "." + letter + ";\n";
      }
    for (const ConstantLine& c : kernels.constants)
      if (!site.hostOnly && uses.empty() && mentions(steps, {c.name}))
        uses = "using namespace " + site.space + ";\n";
    keepErrors(host);
    auto used = [&](const std::string& name) {
      return mentions(totals + steps, {name}) ? name : "/* " + name + " */";
    };
    std::string title = "Stands for a launch of " + site.title + ": same grid, block and arguments.";
    if (countsRounds)
      title =
          "Stands for a launch of " + site.title +
          " in a loop: same grid, block and arguments. Does several rounds where they are due, and returns " +
          host.names.of(*plan.original->round->counter) + " of the last one.";
    return commentLines(title) + (site.isExternal ? "" : "static inline ") + returned + " " + site.launch +
           "(dim3 " + used(grid) + ", dim3 " + used(block) + ", size_t " + used(shared) + ", cudaStream_t " +
           used(stream) + others + ") {\n" + uses + totals + steps + "}\n";
  }

  std::string returnAfter(unsigned rounds) {
    for (const auto& [variable, now] : afterRounds(*plan.original, rounds - 1))
      if (variable == plan.original->round->counter) return "return " + value(now) + ";\n";
    return "";
  }

  std::string body(const Plan& p) {
    std::string text;
    std::vector<std::string> made;  // names of buffers
    bool launched = false;
    for (const Step& step : p.steps) {
      if (const auto* b = std::get_if<BufferStep>(&step)) text += buffer(*b, made, launched);
      if (const auto* l = std::get_if<LaunchStep>(&step)) text += launch(*l);
      if (const auto* c = std::get_if<ChoiceStep>(&step)) text += choice(*c);
      if (const auto* l = std::get_if<LoopStep>(&step)) text += loop(*l);
      launched = launched || !std::holds_alternative<BufferStep>(step);
    }
    for (auto it = made.rbegin(); it != made.rend(); ++it)
      text += "cudaFreeAsync(" + *it + ", " + stream + ");\n";
    if (p.rounds > 1) text += returnAfter(p.rounds);
    return text;
  }

  std::string value(const ExprPtr& e) {
    if (loadsMemory(e)) host.error("internal: a plan reads device memory on the host; please report", e->loc);
    return host
        .converted(
            withThreads(e, [this](unsigned axis, const TypePtr& type) { return threads64(axis, type); }))
        .text;
  }

  // &a[i] is an address and no load.
  static bool loadsMemory(const ExprPtr& e) {
    const auto* address = as<AddressOf>(e);
    const auto* s = as<Subscript>(address ? address->place : e);
    bool loads = s && !address && s->base->type->isPointer();
    forEachChild(address ? *address->place : *e,
                 [&](const ExprPtr& child) { loads = loads || loadsMemory(child); });
    return loads;
  }

  // All threads of the original launch along an axis, where they are counted in 64 bits, under a name.
  ExprPtr threads64(unsigned axis, const TypePtr& type) {
    if (axis > 2 || !type->is(TypeKind::Int) || type->bits != 64) return nullptr;
    if (!threadsOf[axis]) {
      auto v = std::make_shared<Variable>();
      v->type = int64();
      threadsOf[axis] = v;
      host.names.set(*v, host.names.fresh(std::string("threads_") + "xyz"[axis]));
    }
    return convert(ref(threadsOf[axis]), type);
  }

  std::string buffer(const BufferStep& b, std::vector<std::string>& made, bool launched) {
    std::string name = host.names.fresh(b.buffer->name.empty() ? "temporary" : b.buffer->name);
    host.names.set(*b.buffer, name);
    const TypePtr& element = b.buffer->type->element;
    std::string type = host.types.type(element);
    ExprPtr number = b.count;
    while (const auto* cast = as<Cast>(number))
      number = cast->operand;  // widening: an allocation is counted in size_t
    Printed count = host.print(number);
    if (count.type->bits < 64) count = {"(size_t)" + parens(count, kUnary), kUnary, uint64()};
    std::string text = host.types.declaration(pointerType(element, Space::Global), name) + " = nullptr;\n";
    std::string call = "cudaMallocAsync(&" + name + ", " + parens(count, kMultiply) + " * sizeof(" + type +
                       "), " + stream + ")";
    if (launched) {
      text += call + ";\n";
    } else {
      text += "if (" + call + " != cudaSuccess) {\n// No room for it: as before.\ncudaGetLastError();\n";
      for (auto it = made.rbegin(); it != made.rend(); ++it)
        text += "cudaFreeAsync(" + *it + ", " + stream + ");\n";
      text += originalLaunch() + (countsRounds ? returnAfter(1) : "return;\n") + "}\n";
    }
    made.push_back(name);
    return text;
  }

  std::string originalLaunch() {
    PlanPtr same = originalPlan(plan.original);
    return launch(std::get<LaunchStep>(same->steps[0]));
  }

  std::string extents(const std::array<ExprPtr, 3>& list) {
    size_t count = 3;
    while (count > 1 && constantValue(list[count - 1]) == 1) --count;
    std::string text;
    for (size_t i = 0; i < count; ++i) text += (i ? ", " : "") + value(list[i]);
    return text;
  }

  std::string launch(const LaunchStep& l) {
    const NewKernel* k = kernels.of(l);
    host.chosenConstants = kernels.allConstants();
    if (k)
      for (const auto& [name, c] : k->constants) host.chosenConstants[name] = c;
    const std::string callee = k ? (site.hostOnly ? "" : site.space + "::") + k->name : site.original;
    std::string text, blocks = grid, threads = block, bytes = shared;
    std::string declared;
    const Extents sizes = kernels.extentsOf(l);
    if (!keepsGrid(l)) {
      blocks = host.names.fresh("blocks");
      declared = "const dim3 " + blocks + "(" + extents(sizes.grid) + ")";
    }
    if (!keepsBlock(l)) {
      threads = host.names.fresh("threads");
      std::string size = threads + "(" + extents(sizes.block) + ")";
      declared = declared.empty() ? "const dim3 " + size : declared + ", " + size;
    }
    if (!declared.empty()) text += declared + ";\n";
    const bool dynamic = usesDynamicShared(*l.kernel);
    if (l.sharedBytes) {
      bytes = value(l.sharedBytes);
      auto number = constantValue(l.sharedBytes);
      if (!number) {
        std::string size = host.names.fresh("bytes");
        text += "const size_t " + size + " = " + bytes + ";\n";
        bytes = size;
      }
      if (!number || *number > 48 * 1024) text += allow(callee, bytes, !number);
    } else if (k && dynamic) {
      text += allow(callee, bytes, true);
    } else if (k) {
      bytes = "0";
    }
    row(l, k);
    std::vector<std::string> args;
    args.reserve(l.args.size());
    for (size_t i = 0; i < l.args.size(); ++i) {
      args.push_back(argument(l.args[i], *l.kernel->params[i]->type));
      // A test gets a name.
      const ExprPtr test = withoutCasts(l.args[i]);
      if (!test->type->is(TypeKind::Bool) || !as<Binary>(test)) continue;
      std::string name = host.names.fresh(l.kernel->params[i]->name);
      text += "const bool " + name + " = " + value(test) + ";\n";
      args.back() = name;
    }
    if (l.cooperative || synchronizesGrid(*l.kernel))
      return text + cooperative(l, callee, args, blocks, threads, bytes);
    std::string list;
    for (const std::string& a : args) list += (list.empty() ? "" : ", ") + a;
    return text + callee + "<<<" + blocks + ", " + threads + ", " + bytes + ", " + stream + ">>>(" + list +
           ");\n";
  }

  // An array that the original only reads may be handed over to be written where the host exchanges arrays
  // from round to round.
  std::string argument(const ExprPtr& e, const Type& wanted) {
    const std::string text = value(e);
    const bool dropsConst = wanted.isPointer() && e->type->isPointer() && e->type->isConst && !wanted.isConst;
    return dropsConst ? "(" + host.types.type(pointerType(e->type->element, Space::Global)) + ")" + text
                      : text;
  }

  // More than 48 KB of dynamic shared memory must be asked for.
  static std::string allow(const std::string& callee, const std::string& bytes, bool test) {
    return (test ? "if (" + bytes + " > 48 * 1024)\n" : std::string()) +
           "cudaFuncSetAttribute((const void*)" + callee +
           ", cudaFuncAttributeMaxDynamicSharedMemorySize, (int)" + bytes + ");\n";
  }

  std::string cooperative(const LaunchStep& l, const std::string& callee,
                          const std::vector<std::string>& args, const std::string& blocks,
                          const std::string& threads, const std::string& bytes) {
    std::string text, list;
    for (size_t i = 0; i < args.size(); ++i) {
      std::string name = args[i];
      if (!as<VarRef>(l.args[i]) || !sameType(l.args[i]->type, l.kernel->params[i]->type)) {
        name = host.names.fresh(l.kernel->params[i]->name.empty() ? "argument" : l.kernel->params[i]->name);
        text += host.types.declaration(l.kernel->params[i]->type, name) + " = " + args[i] + ";\n";
      }
      list += (list.empty() ? "(void*)&" : ", (void*)&") + name;
    }
    std::string array = host.names.fresh("arguments");
    text += "void* " + array + "[] = {" + (list.empty() ? "nullptr" : list) + "};\n";
    return text + "cudaLaunchCooperativeKernel((const void*)" + callee + ", " + blocks + ", " + threads +
           ", " + array + ", " + bytes + ", " + stream + ");\n";
  }

  // Tests of one kind under a name that says what they are about.
  std::string choice(const ChoiceStep& c) {
    host.chosenConstants = kernels.allConstants();
    std::array<ExprPtr, kTestNames.size()> tests;
    for (const ExprPtr& part : distinctTests(c.cond)) {
      ExprPtr& all = tests[kindOfTest(part)];
      all = andAlso(all, shortTest(part));
    }
    std::string text, names;
    size_t count = 0;
    if (isBySize(c)) names = value(std::exchange(tests.back(), nullptr));
    for (size_t i = 0; i < tests.size(); ++i) {
      if (!tests[i]) continue;
      const std::string name = host.names.fresh(kTestNames[i]);
      text += "const bool " + name + " = " + value(tests[i]) + ";\n";
      names += (count++ ? " && " : "") + name;
    }
    if (names.empty()) names = "true";
    if (onlyOriginal(*c.otherwise))
      text = commentLines(count > 1 ? "Where one of these does not hold, the original runs."
                                    : "Where this does not hold, the original runs.") +
             text;
    text += "if (" + names + ") {\n";
    conditions.push_back(c.cond);
    text += body(*c.then);
    conditions.pop_back();
    const auto* next =
        c.otherwise->steps.size() == 1 ? std::get_if<ChoiceStep>(&c.otherwise->steps[0]) : nullptr;
    if (next && isBySize(*next)) return text + "} else " + choice(*next);
    return text + "} else {\n" + body(*c.otherwise) + "}\n";
  }

  // A choice between two plans of our own by numbers alone: its test needs no name.
  bool isBySize(const ChoiceStep& c) const {
    if (onlyOriginal(*c.otherwise)) return false;
    const std::vector<ExprPtr> tests = distinctTests(c.cond);
    return !tests.empty() && std::all_of(tests.begin(), tests.end(), [](const ExprPtr& test) {
      return kindOfTest(test) + 1 == kTestNames.size();
    });
  }

  bool onlyOriginal(const Plan& p) const {
    const auto* l = p.steps.size() == 1 ? std::get_if<LaunchStep>(&p.steps[0]) : nullptr;
    return l && l->kernel == plan.original;
  }

  std::string loop(const LoopStep& l) {
    std::string name = host.names.fresh(l.var->name.empty() ? "step" : l.var->name);
    host.names.set(*l.var, name);
    std::string head = "for (" + host.types.declaration(l.var->type, name) + " = " + value(l.begin) + "; " +
                       host.condition(l.cond).text + "; " + name + " = " + value(l.next) + ")";
    std::string outer = around;
    around = outer.empty() ? head : outer + " " + head;
    std::string text = head + " {\n" + body(*l.body) + "}\n";
    around = outer;
    return text;
  }

  void row(const LaunchStep& l, const NewKernel* k) {
    if (!k) return;
    PlanFormula formula(host.names, host.chosenConstants, [this](const Coord& c) {
      return (c.kind == CoordKind::GridDim ? grid : block) + "." + "xyz"[c.axis < 3 ? c.axis : 0];
    });
    PlanRow r;
    r.kernel = (site.hostOnly ? "" : site.space + "::") + k->name;
    for (size_t i = 0; i < 3; ++i) r.grid[i] = formula.of(l.grid[i]), r.block[i] = formula.of(l.block[i]);
    for (const ExprPtr& a : l.args) r.args.push_back(formula.of(a));
    if (l.sharedBytes) r.shared = formula.of(l.sharedBytes);
    for (const ExprPtr& c : conditions) r.condition += (r.condition.empty() ? "" : " && ") + formula.of(c);
    r.loop = around;
    result.rows.push_back(std::move(r));
  }

  const Plan& plan;
  const PlanSite& site;
  const EmitOptions& options;
  PlanKernels kernels;
  Emitter host;
  bool countsRounds;  // the launch function returns the loop's counter
  std::set<std::string> templateParams;
  std::array<VarPtr, 3> threadsOf;  // named totals of the original launch
  std::string grid, block, shared, stream, around;
  std::vector<ExprPtr> conditions;  // that hold where we are
  PlanText result;
};

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
