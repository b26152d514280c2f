// The function that launches what a plan says, in CUDA.
#include <algorithm>
#include <utility>

#include "emit/CudaPlan.h"
#include "emit/Marks.h"
#include "emit/PlanFormula.h"
#include "emit/PlanTests.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/HostIteration.h"
#include "ir/Overflow.h"
#include "ir/PlanWalk.h"
#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

// Arithmetic on named constants, in the type that they are declared with.
class InInt : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (!sameType(e->type, uint32())) return e;
    if (const auto* b = ir::as<Binary>(e)) return makeExpr(int32(), *b, e->loc);
    const auto* literal = ir::as<IntLiteral>(e);
    return literal && literal->value <= INT32_MAX ? makeExpr(int32(), *literal, e->loc) : e;
  }
};

// As a caller sees it: no promise to the kernel matters, nor what it may do to its own copy.
std::shared_ptr<Variable> plainParameter(const Variable& param) {
  auto plain = std::make_shared<Variable>(param);
  plain->isConst = false;
  if (param.type->isPointer()) {
    Type copy = *param.type;
    copy.isRestrict = false;
    plain->type = std::make_shared<const Type>(std::move(copy));
  }
  return plain;
}

// Without the names of floating-point types, which other files need not have.
TypePtr withoutNames(const TypePtr& type) {
  if (type->isFloating()) return withSpelling(type, "");
  if (!type->isPointer()) return type;
  Type copy = *type;
  copy.element = withoutNames(type->element);
  return std::make_shared<const Type>(std::move(copy));
}

// As a person writes the extents of a launch: kTileX / kPerX without casts, where both say the same.
ExprPtr withoutSigns(const ExprPtr& e) {
  if (!as<Binary>(e) || !constantValue(e)) return e;
  const ExprPtr plain = InInt().rewrite(e);
  return sameType(plain->type, int32()) && constantValue(plain) == constantValue(e) ? plain : e;
}

}  // namespace

std::string CudaPlan::launchFunction() {
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
  std::string others, elsewhere;
  std::vector<std::shared_ptr<Variable>> plainParams;  // which names are kept for
  const std::vector<VarPtr>& params = plan.original->params;
  for (size_t i = 0; i < params.size(); ++i) {
    const auto plain = plainParams.emplace_back(plainParameter(*params[i]));
    host.names.set(*plain, host.names.of(*params[i]));
    std::string text = i < site.parameterTypes.size() ? site.parameterTypes[i] : host.declarationOf(*plain);
    if (i < site.parameterTypes.size()) text.replace(text.find('$'), 1, host.names.of(*params[i]));
    others += ", " + text;
    plain->type = withoutNames(plain->type);
    elsewhere += ", " + (i < site.parameterTypes.size() ? text : host.declarationOf(*plain));
  }
  const std::string returned =
      countsIterations ? host.types.type(plan.original->iteration->counter->type) : "void";
  if (countsIterations)
    for (const VarPtr& other : plan.original->iteration->others) {
      host.names.set(*other, host.names.fresh(other->name));
      others += ", " + host.declarationOf(*other);
      elsewhere += ", " + host.declarationOf(*other);
    }
  result.declaration = returned + " " + site.launch + "(dim3 " + grid + ", dim3 " + block + ", size_t " +
                       shared + ", cudaStream_t " + stream + elsewhere + ");";

  const std::string steps = unlessOff();
  const std::string otherwise = originalLaunch() + (countsIterations ? returnAfter(1) : "");
  std::string uses, totals;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (threadsOf[axis]) {
      std::string letter(1, "xyz"[axis]);
      totals += "const long long " + host.names.of(*threadsOf[axis]) + " = (long long)" + grid + "." +
                letter + " * " + block + "." + letter + ";\n";
    }
  for (const ConstantLine& c : kernels.constants)
    if (!site.hostOnly && uses.empty() && hasWordOf(steps, {c.name}))
      uses = "using namespace " + site.space + ";\n";
  keepErrors(host);
  auto used = [&](const std::string& name) {
    return hasWordOf(totals + steps + otherwise, {name}) ? name : "/* " + name + " */";
  };
  std::string title = "Stands for a launch of " + site.title + ": same grid, block and arguments.";
  if (countsIterations)
    title = "Stands for a launch of " + site.title +
            " in a loop: same grid, block and arguments. Does several iterations where they are due, and "
            "returns " +
            host.names.of(*plan.original->iteration->counter) + " of the last one.";
  const std::string specifiers = !site.launchArguments.empty() ? "template <>\ninline "
                                 : site.isExternal             ? ""
                                                               : "static inline ";
  const std::string head = specifiers + returned + " " + site.launch + site.launchArguments;
  // Without a specialization the template of launch functions launches the original.
  std::string planned = uses + totals + steps;
  if (site.launchArguments.empty()) planned = guardLine(taken.directive) + "\n" + planned + "#endif\n";
  return commentLines(title) + head + "(dim3 " + used(grid) + ", dim3 " + used(block) + ", size_t " +
         used(shared) + ", cudaStream_t " + used(stream) + others + ") {\n" + planned + otherwise + "}\n";
}

std::string CudaPlan::unlessOff() {
  const std::string enabled = host.names.fresh("enabled");
  const std::string asked =
      "static const bool " + enabled + " = !::getenv(\"HONE_OFF\") || *::getenv(\"HONE_OFF\") <= '0';\n";
  const std::string test = enabled + (valuesHold.empty() ? "" : " && " + site.space + "::" + valuesHold);
  const auto* only = onlyStep<ChoiceStep>(plan);
  if (only && onlyOriginal(*only->otherwise)) return asked + choice(*only, test, true);
  return asked + "if (" + test + ") {\n" + body(plan) + ends(plan) + "}\n";
}

std::string CudaPlan::ends(const Plan& p) {
  if (p.iterations > 1) return "";
  return countsIterations ? returnAfter(1) : "return;\n";
}

std::string CudaPlan::returnAfter(unsigned iterations) {
  for (const auto& [variable, now] : afterIterations(*plan.original, iterations - 1))
    if (variable == plan.original->iteration->counter) return "return " + value(now) + ";\n";
  return "";
}

std::string CudaPlan::body(const Plan& p) {
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
  if (p.iterations > 1) text += returnAfter(p.iterations);
  return text;
}

std::string CudaPlan::value(const ExprPtr& e) {
  if (loadsMemory(e)) host.error("internal: a plan reads device memory on the host; please report", e->loc);
  return host
      .converted(withThreads(e, [this](unsigned axis, const TypePtr& type) { return threads64(axis, type); }))
      .text;
}

bool CudaPlan::loadsMemory(const ExprPtr& e) {
  const auto* address = as<AddressOf>(e);
  const auto* s = as<Subscript>(address ? address->place : e);
  bool loads = s && !address && s->base->type->isPointer();
  forEachChild(address ? *address->place : *e,
               [&](const ExprPtr& child) { loads = loads || loadsMemory(child); });
  return loads;
}

ExprPtr CudaPlan::threads64(unsigned axis, const TypePtr& type) {
  if (axis > 2 || !type->is(TypeKind::Int) || type->bits != 64) return nullptr;
  if (!threadsOf[axis]) {
    auto v = std::make_shared<Variable>();
    v->type = int64();
    threadsOf[axis] = v;
    host.names.set(*v, host.names.fresh(std::string("threads_") + "xyz"[axis]));
  }
  return convert(ref(threadsOf[axis]), type);
}

std::string CudaPlan::buffer(const BufferStep& b, std::vector<std::string>& made, bool launched) {
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
    text += originalLaunch() + (countsIterations ? returnAfter(1) : "return;\n") + "}\n";
  }
  made.push_back(name);
  return text;
}

std::string CudaPlan::originalLaunch() {
  PlanPtr same = originalPlan(plan.original);
  return launch(std::get<LaunchStep>(same->steps[0]));
}

std::string CudaPlan::extents(const std::array<ExprPtr, 3>& list) {
  size_t count = 3;
  while (count > 1 && constantValue(list[count - 1]) == 1) --count;
  std::string text;
  for (size_t i = 0; i < count; ++i) text += (i ? ", " : "") + value(withoutSigns(list[i]));
  return text;
}

std::string CudaPlan::launch(const LaunchStep& l) {
  const NewKernel* k = kernels.of(l);
  host.chosenConstants = kernels.allConstants();
  if (k)
    for (const auto& [role, c] : k->constants) host.chosenConstants[role] = c;
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

std::string CudaPlan::argument(const ExprPtr& e, const Type& wanted) {
  const std::string text = value(e);
  const bool dropsConst = wanted.isPointer() && e->type->isPointer() && e->type->isConst && !wanted.isConst;
  return dropsConst ? "(" + host.types.type(pointerType(e->type->element, Space::Global)) + ")" + text : text;
}

std::string CudaPlan::allow(const std::string& callee, const std::string& bytes, bool test) {
  return (test ? "if (" + bytes + " > 48 * 1024)\n" : std::string()) + "cudaFuncSetAttribute((const void*)" +
         callee + ", cudaFuncAttributeMaxDynamicSharedMemorySize, (int)" + bytes + ");\n";
}

std::string CudaPlan::cooperative(const LaunchStep& l, const std::string& callee,
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
  return text + "cudaLaunchCooperativeKernel((const void*)" + callee + ", " + blocks + ", " + threads + ", " +
         array + ", " + bytes + ", " + stream + ");\n";
}

std::string CudaPlan::choice(const ChoiceStep& c, const std::string& alsoAsked, bool originalFollows) {
  host.chosenConstants = kernels.allConstants();
  std::array<ExprPtr, kTestNames.size()> tests;
  for (const ExprPtr& part : distinctTests(c.cond)) {
    ExprPtr& all = tests[kindOfTest(part)];
    all = andAlso(all, shortTest(part));
  }
  std::string text, names;
  size_t count = 0;
  if (isBySize(c)) names = value(std::exchange(tests[kInRange], nullptr));
  const auto add = [&](size_t kind, const VarPtr& before) {
    const std::string name = host.names.fresh(kTestNames[kind]);
    const ExprPtr test = std::exchange(tests[kind], nullptr);
    ExprPtr all = before ? ref(before) : nullptr;
    for (const ExprPtr& part : conjuncts(test)) all = andAlso(all, part);
    if (kind == kPays) text += "// Elsewhere the original is as fast, as far as is known.\n";
    text += "const bool " + name + " = " + value(all ? all : test) + ";\n";
    names += (count++ ? " && " : "") + name;
    return name;
  };
  // Tests whose arithmetic is right within these bounds alone are made after them.
  VarPtr bounds;
  const std::vector<ExprPtr> ranges = conjuncts(tests[kInRange]);
  if (std::any_of(ranges.begin(), ranges.end(), isLimit)) {
    auto known = std::make_shared<Variable>();
    known->type = boolType();
    host.names.set(*known, add(kInRange, nullptr));
    bounds = known;
  }
  for (size_t kind = 0; kind < tests.size(); ++kind)
    if (tests[kind]) add(kind, mayOverflow(tests[kind]) ? bounds : nullptr);
  if (!alsoAsked.empty()) names = alsoAsked + (names.empty() ? "" : " && ") + names;
  if (names.empty()) names = "true";
  if (onlyOriginal(*c.otherwise))
    text = commentLines(count > 1 ? "Where one of these does not hold, the original runs."
                                  : "Where this does not hold, the original runs.") +
           text;
  text += "if (" + names + ") {\n";
  conditions.push_back(c.cond);
  text += body(*c.then);
  conditions.pop_back();
  if (originalFollows) return text + ends(*c.then) + "}\n";
  const auto* next = onlyStep<ChoiceStep>(*c.otherwise);
  if (next && isBySize(*next)) return text + "} else " + choice(*next);
  return text + "} else {\n" + body(*c.otherwise) + "}\n";
}

bool CudaPlan::isBySize(const ChoiceStep& c) const {
  if (onlyOriginal(*c.otherwise)) return false;
  const std::vector<ExprPtr> tests = distinctTests(c.cond);
  return !tests.empty() && std::all_of(tests.begin(), tests.end(),
                                       [](const ExprPtr& test) { return kindOfTest(test) == kInRange; });
}

bool CudaPlan::onlyOriginal(const Plan& p) const { return isLaunchOf(p, plan.original); }

std::string CudaPlan::loop(const LoopStep& l) {
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

void CudaPlan::row(const LaunchStep& l, const NewKernel* k) {
  if (!k) return;
  // Parameters as the source calls them, whatever the launch function must call them.
  Names shown = host.names;
  std::set<std::string> called;
  for (const VarPtr& p : plan.original->params)
    if (!p->name.empty()) {
      shown.set(*p, p->name);
      called.insert(p->name);
    }
  PlanFormula formula(shown, host.chosenConstants, [&](const Coord& c) {
    const std::string what = c.kind == CoordKind::GridDim ? "grid" : "block";
    return what + (called.contains(what) ? "Dim." : ".") + "xyz"[c.axis < 3 ? c.axis : 0];
  });
  PlanRow r;
  r.kernel = (site.hostOnly ? "" : site.space + "::") + k->name;
  for (size_t i = 0; i < 3; ++i) r.grid[i] = formula.of(l.grid[i]), r.block[i] = formula.of(l.block[i]);
  for (const ExprPtr& a : l.args) r.args.push_back(formula.of(a));
  if (l.sharedBytes) r.shared = formula.of(l.sharedBytes);
  for (const ExprPtr& c : conditions)
    r.condition += (r.condition.empty() ? "" : " && ") + formula.conjunction(c);
  r.loop = around;
  result.rows.push_back(std::move(r));
}

}  // namespace hone::emit
