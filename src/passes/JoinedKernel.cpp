#include "passes/JoinedKernel.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Substitute.h"
#include "passes/Coordinates.h"
#include "passes/DeadCode.h"
#include "passes/Names.h"
#include "passes/PlanEdit.h"
#include "passes/Say.h"

namespace hone::passes {

using namespace ir;
using affine::Monomial;
using affine::Poly;

namespace {

// What an expression is written with: products of digits and counts by the names they have in the kernel.
// In the order in which terms are written: sums up to each of them stay within what the value and its digits are.
enum Written : affine::AtomId { kGroup, kLowDigit, kHighDigit, kDivisor, kGroups, kSize, kHighDigits };

}  // namespace

Poly DigitExpr::named(const Poly& p) const {
  Poly out;
  for (const auto& [monomial, factor] : p.terms()) {
    Monomial left = monomial;
    auto take = [&](affine::AtomId id) {
      const auto at = std::find(left.begin(), left.end(), id);
      if (at == left.end()) return false;
      left.erase(at);
      return true;
    };
    const auto has = [&](affine::AtomId id) { return std::find(left.begin(), left.end(), id) != left.end(); };
    Poly term(factor);
    // low + p * high is the group's number, p * Q that of all groups.
    while (has(kHigh) && (!divisor || has(kLowCount))) {
      take(kHigh), take(kLowCount);
      term = term * (divisor ? Poly::atom(kGroup) - Poly::atom(kLowDigit) : Poly::atom(kGroup));
    }
    while (has(kHighCount) && (!divisor || has(kLowCount))) {
      take(kHighCount), take(kLowCount);
      term = term * Poly::atom(kGroups);
    }
    while (take(kLow)) term = term * Poly::atom(kLowDigit);
    while (take(kLowCount)) term = term * Poly::atom(kDivisor);
    while (take(kHigh)) term = term * Poly::atom(kHighDigit);
    while (take(kHighCount)) term = term * Poly::atom(kHighDigits);
    out += term;
  }
  if (!size) return out;
  Poly whole;
  for (const auto& [monomial, factor] : out.terms()) {
    const bool isWhole = monomial == Monomial{kGroups} && factor % count == 0;
    whole.add(isWhole ? Monomial{kSize} : monomial, isWhole ? factor / count : factor);
  }
  return whole;
}

ExprPtr DigitExpr::of(const Poly& p) const {
  auto written = [&](affine::AtomId id) -> ExprPtr {
    switch (id) {
      case kGroup: return convert(group, type);
      case kGroups: return convert(groups, type);
      case kSize: return convert(size, type);
      case kDivisor: return convert(divisor, type);
      case kLowDigit: return convert(low, type);
      case kHighDigit: return convert(over(group, convert(divisor, group->type)), type);
      default: return convert(over(groups, convert(divisor, groups->type)), type);
    }
  };
  const Poly terms = named(p);
  ExprPtr sum;
  std::vector<ExprPtr> later;  // what is taken away before anything is there
  for (const auto& [monomial, factor] : terms.terms()) {
    if (monomial.empty()) continue;
    ExprPtr term;
    for (affine::AtomId id : monomial) term = term ? times(term, written(id)) : written(id);
    const int64_t often = factor < 0 ? -factor : factor;
    if (often != 1) term = binary(BinaryOp::Mul, intLit(often, type), term);
    if (!sum && factor < 0)
      later.push_back(term);
    else
      sum = !sum ? term : factor < 0 ? minus(sum, term) : plus(sum, term);
  }
  for (const ExprPtr& term : later) sum = sum ? minus(sum, term) : unary(UnaryOp::Neg, term);
  const int64_t rest = terms.constantPart();
  if (!sum) return intLit(rest, type);
  return rest < 0 ? minus(sum, intLit(-rest, type)) : plus(sum, intLit(rest, type));
}

namespace {

bool loadsMemory(const ExprPtr& e, const std::set<const Variable*>& stored) {
  bool found = false;
  for (const ir::Access& access : accesses(e)) {
    const VarPtr root = rootVariable(access.place);
    const Variable* own = storageOf(*access.place);
    found = found || (own && own->storage == Storage::Local) || !root || stored.contains(root.get());
  }
  return found;
}

class Joiner {
 public:
  Joiner(const Plan& ofPlan, const std::vector<StepCode>& ofRun, const StepGroups& ofGroups,
         const StepFlow& ofFlow)
      : plan(ofPlan),
        steps(ofRun),
        groups(ofGroups),
        flow(ofFlow),
        names(everything()),
        values(ofGroups.sizes) {
    kept.resize(flow.values.size());
    for (const StepArray& array : flow.arrays)
      if (array.isStored) stored.insert(array.array.get());
  }

  VarPtr groupCount;  // parameter for the number of groups; null: it is the size itself

  StmtPtr body() {
    const TypePtr type = promoted(groups.sizes.size->type);
    const VarPtr group = makeLocal(names, "group", type, true), low = makeLocal(names, "low", type, true);
    for (const VarPtr& var : {group, low}) constants.insert(var.get());
    digits.count = groups.sizes.count;
    digits.groups = groups.sizes.size;
    if (digits.count > 1) digits.groups = ref(groupCount = makeParameter(names, "groups", type));
    digits.group = ref(group), digits.low = ref(low);
    digits.divisor = groups.sizes.lowCount();
    for (size_t s = 0; s < steps.size(); ++s) step(s);
    if (digits.divisor)
      inside.insert(inside.begin(),
                    makeStmt(Declare{low, remainder(ref(group), convert(digits.divisor, type))}));
    const Kernel& first = *steps[0].kernel;
    ExprPtr id = plus(times(coordOf(first, CoordKind::BlockIdx, 0), coordOf(first, CoordKind::BlockDim, 0)),
                      coordOf(first, CoordKind::ThreadIdx, 0));
    StmtList all = {
        makeStmt(Declare{group, convert(id, type)}),
        makeStmt(If{ir::binary(BinaryOp::Lt, ref(group), digits.groups), block(inside), nullptr})};
    return withoutDeadCode(block(all), {});
  }

 private:
  // All that the steps name, and the plan.
  Kernel everything() {
    Kernel all = *plan.original;
    StmtList stmts;
    for (const StepCode& step : steps)
      for (const StepStatement& s : step.stmts) stmts.push_back(s.stmt);
    all.body = block(stmts);
    for (const VarPtr& param : all.params) reserved.insert(param->name);
    walkExprs(all.body, [&](const Expr& e) {
      if (const auto* call = e.as<Call>()) reserved.insert(call->spelling);
      const auto* var = e.as<VarRef>();
      if (var && var->var->storage != Storage::Local) reserved.insert(var->var->name);
    });
    return all;
  }

  // A new variable for one of a member's own.
  VarPtr renewed(const VarPtr& var) {
    auto copy = std::make_shared<Variable>(*var);
    if (!reserved.insert(var->name).second) copy->name = names.fresh(var->name);
    return copy;
  }

  // Statements of a member with its own variables.
  class Copy : public Renaming {
   public:
    std::map<const Variable*, ExprPtr>
        values;                               // of variables that get one value, which has a name or is short
    std::map<const Expr*, ExprPtr> elements;  // what stands for a load
    std::function<ExprPtr(const Coord&, const ExprPtr&)> coordinate;
    using Renaming::rewrite;
    ExprPtr rewrite(const ExprPtr& e) override {
      const auto element = e ? elements.find(e.get()) : elements.end();
      return element == elements.end() ? Renaming::rewrite(e) : element->second;
    }

   protected:
    ExprPtr mapExpr(const ExprPtr& e) override {
      if (const auto* c = ir::as<Coord>(e)) return coordinate(*c, e);
      const auto* var = ir::as<VarRef>(e);
      const auto value = var ? values.find(var->var.get()) : values.end();
      if (value != values.end()) return value->second;
      const auto* b = ir::as<Binary>(e);
      // What is left of blockIdx * blockDim.
      return b && e->type->isInteger() && (constantValue(b->lhs) == 0 || constantValue(b->rhs) == 0)
                 ? simplified(e)
                 : e;
    }
  };

  void step(size_t s) {
    inside.push_back(say(fmt::format("Step {} of {}.", s + 1, steps.size())));
    for (size_t m = 0; m < groups.threads[s].size(); ++m) {
      Copy copy;
      const Poly& thread = groups.threads[s][m];
      copy.coordinate = [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
        if (c.kind == CoordKind::BlockIdx) return intLit(0, e->type);
        if (c.kind == CoordKind::ThreadIdx || c.kind == CoordKind::GlobalId) return written(thread, e->type);
        return e;
      };
      values.thread = thread;
      const MemberFlow& member = flow.members[s][m];
      for (size_t i = 0; i < steps[s].stmts.size(); ++i) {
        const StepStatement& one = steps[s].stmts[i];
        copy.elements.clear();
        for (size_t l = 0; l < one.loads.size(); ++l)
          if (member.loads[i][l] >= 0) copy.elements[one.loads[l].place] = kept[size_t(member.loads[i][l])];
        if (one.store)
          store(s, *one.stmt->as<Assign>(), size_t(member.stores[i]), copy, one.stmt->loc);
        else if (const auto* d = one.stmt->as<Declare>())
          declare(steps[s], *d, copy, one.stmt->loc);
        else
          plain(one.stmt, copy);
      }
    }
  }

  ExprPtr written(const Poly& p, const TypePtr& type) {
    digits.type = type;
    return digits.of(p);
  }

  void plain(const StmtPtr& s, Copy& copy) {
    walkStmts(s, [&](const Stmt& one) {
      if (const auto* d = one.as<Declare>()) copy.by[d->var.get()] = renewed(d->var);
    });
    for (StmtPtr& made : copy.rewrite(s)) inside.push_back(std::move(made));
  }

  void declare(const StepCode& code, const Declare& d, Copy& copy, const SourceLoc& loc) {
    const bool isValue = d.var->type->isArithmetic() || d.var->type->is(TypeKind::Vector);
    if (!d.init || code.changed.contains(d.var.get()) || !isValue) return plain(makeStmt(d, loc), copy);
    ExprPtr init;
    if (const auto number = code.numbers.find(d.var.get()); number != code.numbers.end())
      if (const auto value = values.of(number->second)) init = written(*value, d.var->type);
    if (!init) init = copy.rewrite(d.init);
    copy.values[d.var.get()] = namedValue(init, [&] { return renewed(d.var); });
  }

  // A constant for the value: one that has it already, or a new one.
  ExprPtr namedValue(const ExprPtr& init, const std::function<VarPtr()>& make) {
    const auto* var = ir::as<VarRef>(init);
    if (constantValue(init) || (var && isConstant(*var->var))) return init;
    const bool mayShare = !loadsMemory(init, stored) && !usesVariables(init);
    if (mayShare)
      for (const auto& [known, has] : shared)
        if (sameType(known->type, init->type) && equal(known, init)) return has;
    auto made = std::make_shared<Variable>(*make());
    made->isConst = true;
    constants.insert(made.get());
    inside.push_back(makeStmt(Declare{made, init}));
    if (mayShare) shared.emplace_back(init, ref(VarPtr(made)));
    return ref(VarPtr(made));
  }

  // Steps change no parameter: what they change has become a variable of its own.
  bool isConstant(const Variable& var) const {
    return constants.contains(&var) || var.storage == Storage::Param || var.storage == Storage::Global;
  }
  bool usesVariables(const ExprPtr& e) const {
    bool found = false;
    walkExprs(e, [&](const Expr& one) {
      const auto* var = one.as<VarRef>();
      found = found || (var && !isConstant(*var->var));
    });
    return found;
  }

  void store(size_t s, const Assign& a, size_t number, Copy& copy, const SourceLoc& loc) {
    const StepValue& value = flow.values[number];
    ExprPtr what = copy.rewrite(a.value);
    if (value.isLoaded) {
      size_t nth = 0;
      for (size_t i = 0; i < number; ++i)
        nth += flow.values[i].step == s && flow.values[i].array == value.array;
      what = kept[number] = namedValue(what, [&] {
        return makeLocal(names, fmt::format("{}_{}_{}", value.array->name, s + 1, nth), a.place->type, true);
      });
    }
    if (!value.isStored) return;
    copy.elements.erase(a.place.get());
    inside.push_back(assign(copy.rewrite(a.place), what, loc));
  }

  const Plan& plan;
  const std::vector<StepCode>& steps;
  const StepGroups& groups;
  const StepFlow& flow;
  std::set<std::string> reserved;
  Names names;
  StepValues values;
  DigitExpr digits;
  StmtList inside;
  std::vector<ExprPtr> kept;  // what the values are called
  std::set<const Variable*> constants, stored;
  std::vector<std::pair<ExprPtr, ExprPtr>> shared;  // values and the variables that have them
};

}  // namespace

JoinedKernel joinedKernel(const Plan& plan, const std::vector<StepCode>& steps, const StepGroups& groups,
                          const StepFlow& flow, const std::string& name) {
  auto kernel = std::make_shared<Kernel>(*steps[0].kernel);
  kernel->name = name;
  Joiner joiner(plan, steps, groups, flow);
  const StmtPtr body = joiner.body();

  // Parameters: the original's first, then what else of the plan is used.
  std::set<const Variable*> used;
  std::vector<VarPtr> others;
  const std::set<const Variable*> own = declaredVariables(body);
  const std::vector<VarPtr>& params = plan.original->params;
  walkExprs(body, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    if (!var || own.contains(var->var.get()) || var->var->storage == Storage::Global ||
        var->var == joiner.groupCount)
      return;
    if (used.insert(var->var.get()).second &&
        std::find(params.begin(), params.end(), var->var) == params.end())
      others.push_back(var->var);
  });
  JoinedKernel out;
  kernel->params.clear();
  for (const VarPtr& param : params) {
    if (!used.contains(param.get())) continue;
    kernel->params.push_back(param);
    out.args.push_back(ref(param));
  }
  Substitution values;
  for (const VarPtr& var : others) {
    auto param = std::make_shared<Variable>(*var);
    param->storage = Storage::Param;
    kernel->params.push_back(param);
    out.args.push_back(ref(var));
    values.emplace_back(var, ref(VarPtr(param)));
  }
  kernel->body = values.empty() ? body : substituted(body, values);
  if (joiner.groupCount) {
    kernel->params.push_back(joiner.groupCount);
    out.args.push_back(convert(groups.sizes.groupsOnHost(), joiner.groupCount->type));
  }
  std::string threads;
  for (size_t s = 0; s < groups.threads.size(); ++s)
    threads += fmt::format("{}{}",
                           s == 0                           ? ""
                           : s + 1 == groups.threads.size() ? " and "
                                                            : ", ",
                           groups.threads[s].size());
  kernel->story.push_back(
      fmt::format("Each thread does {} steps at once, the work of {} threads of them; what they hand on "
                  "stays in registers.",
                  steps.size(), threads));
  out.kernel = kernel;
  return out;
}

}  // namespace hone::passes
