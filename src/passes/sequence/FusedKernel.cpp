#include "passes/sequence/FusedKernel.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Substitute.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/host/PlanEdit.h"
#include "passes/sequence/DigitExpr.h"
#include "passes/sequence/RolledLaunch.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

constexpr size_t kMostWritten = 40;  // statements that are read as easily one after the other as in loops

class Joiner {
 public:
  Joiner(const Plan& ofPlan, const std::vector<LaunchCode>& ofRun, const LaunchGroups& ofGroups,
         const LaunchFlow& ofFlow, bool inLoops)
      : plan(ofPlan), steps(ofRun), groups(ofGroups), flow(ofFlow), names(everything()), mayLoop(inLoops) {
    kept.resize(flow.values.size());
    if (mayLoop) rows = rowsOf(steps, flow);
    for (const StepArray& array : flow.arrays)
      if (array.isStored) stored.insert(array.array.get());
  }

  VarPtr groupCount;      // parameter for the number of groups; null: it is the size itself
  int64_t calls = 0;      // that a thread makes
  bool hasLoops = false;  // over members

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
    for (const LaunchCode& step : steps)
      for (const LaunchStatement& s : step.stmts) stmts.push_back(s.stmt);
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
    for (const LaunchRow& row : rows)
      if (row.step == s) declareRow(row);
    const size_t count = groups.threads[s].size();
    const auto all =
        mayLoop && count > 1 ? rolledLaunch(s, 0, count, steps[s], groups, flow, rows) : std::nullopt;
    if (all)
      members(s, *all);
    else
      for (size_t m = 0; m < count; ++m) members(s, *rolledLaunch(s, m, 1, steps[s], groups, flow, rows));
    // Later steps only read what this one hands on.
    for (const auto& [row, array] : rowArrays)
      if (row->step == s) constants.insert(array.get());
  }

  void declareRow(const LaunchRow& row) {
    const VarPtr array = makeLocal(names, fmt::format("{}_{}", row.array->name, row.step + 1),
                                   arrayType(row.element, int64_t(row.slots.size())));
    rowArrays[&row] = array;
    inside.push_back(makeStmt(Declare{array, nullptr}));
  }

  // Members of a step that differ by their digits: loops over these, or a single one.
  void members(size_t s, const RolledLaunch& rolled) {
    const std::vector<int64_t>& counts = rolled.digits.counts;
    std::vector<std::shared_ptr<Variable>> counters;
    digits.members.clear();
    for (size_t d = 0; d < counts.size(); ++d) {
      counters.push_back(std::make_shared<Variable>());
      counters[d]->type = int32();
      constants.insert(counters[d].get());
      digitsOf[counters[d].get()] = 1u << d;
      digits.members.push_back(ref(counters[d]));
    }
    allDigits = (1u << counts.size()) - 1;
    Copy copy;
    copy.coordinate = [&](const Coord& c, const ExprPtr& e) -> ExprPtr {
      if (c.kind == CoordKind::BlockIdx) return intLit(0, e->type);
      if (c.kind == CoordKind::ThreadIdx || c.kind == CoordKind::GlobalId)
        return written(rolled.thread.value(), e->type);
      return e;
    };
    for (size_t i = 0; i < steps[s].stmts.size(); ++i) {
      const LaunchStatement& one = steps[s].stmts[i];
      copy.elements.clear();
      for (size_t l = 0; l < one.loads.size(); ++l)
        if (const ExprPtr value = handed(rolled.loads[i][l])) copy.elements[one.loads[l].place] = value;
      if (one.store)
        store(s, *one.stmt->as<Assign>(), rolled.stores[i], rolled.isStored[i], copy, one.stmt->loc);
      else if (const auto* d = one.stmt->as<Declare>())
        declare(steps[s], rolled, *d, copy, one.stmt->loc);
      else
        plain(one.stmt, copy);
    }
    if (!counts.empty()) nest(counts, counters);
  }

  void nest(const std::vector<int64_t>& counts, const std::vector<std::shared_ptr<Variable>>& counters) {
    const std::vector<size_t> order = loopOrder(looped, counts);
    for (size_t l = 0; l < order.size(); ++l) {
      // t is innermost.
      while (counterNames.size() <= l) counterNames.push_back(names.fresh(std::string(1, "trqhgf"[l])));
      counters[order[order.size() - 1 - l]]->name = counterNames[l];
    }
    for (const MemberStmt& one : looped) calls += timesDone(one, counts, order) * callsIn(one.stmt);
    inside.push_back(memberLoops(looped, counts, {counters.begin(), counters.end()}, order));
    hasLoops = true;
    // What the loops declare ends with them.
    std::erase_if(shared,
                  [&](const auto& one) { return digitsOf.contains(ir::as<VarRef>(one.second)->var.get()); });
    for (const MemberStmt& one : looped)
      walkStmts(one.stmt, [&](const Stmt& inner) {
        if (const auto* d = inner.as<Declare>()) reserved.erase(d->var->name);
      });
    looped.clear();
  }

  // A statement that these digits make a difference to.
  void put(const StmtPtr& stmt, unsigned byDigits) {
    if (byDigits) {
      looped.push_back({stmt, byDigits});
      return;
    }
    calls += callsIn(stmt);
    inside.push_back(stmt);
  }

  ExprPtr written(const Poly& p, const TypePtr& type) {
    digits.type = type;
    return digits.of(p);
  }

  // What stands for a value that was handed on; null: it is in memory.
  ExprPtr handed(const RowSlots& slots) {
    if (slots.row) return subscript(ref(rowArrays.at(slots.row)), {written(slots.slot, int32())});
    return slots.value < 0 ? nullptr : kept[size_t(slots.value)];
  }

  void plain(const StmtPtr& s, Copy& copy) {
    walkStmts(s, [&](const Stmt& one) {
      if (const auto* d = one.as<Declare>()) copy.by[d->var.get()] = renewed(d->var);
    });
    for (const StmtPtr& made : copy.rewrite(s)) put(made, allDigits);
  }

  void declare(const LaunchCode& code, const RolledLaunch& rolled, const Declare& d, Copy& copy,
               const SourceLoc& loc) {
    if (rolled.unused.contains(d.var.get())) return;
    const bool isValue = d.var->type->isArithmetic() || d.var->type->is(TypeKind::Vector);
    if (!d.init || code.changed.contains(d.var.get()) || !isValue) return plain(makeStmt(d, loc), copy);
    const auto number = rolled.numbers.find(d.var.get());
    const ExprPtr init =
        number == rolled.numbers.end() ? copy.rewrite(d.init) : written(number->second, d.var->type);
    copy.values[d.var.get()] = namedValue(init, [&] { return renewed(d.var); });
  }

  // A constant for the value: one that has it already, or a new one.
  ExprPtr namedValue(const ExprPtr& init, const std::function<VarPtr()>& make) {
    const auto* var = ir::as<VarRef>(init);
    if (constantValue(init) || (var && isConstant(*var->var))) return init;
    const bool mayShare = !loadsMemory(init) && !usesVariables(init);
    if (mayShare)
      for (const auto& [known, has] : shared)
        if (sameType(known->type, init->type) && equal(known, init)) return has;
    auto made = std::make_shared<Variable>(*make());
    made->isConst = true;
    constants.insert(made.get());
    const unsigned byDigits = mayShare ? digitsIn(init) : allDigits;
    if (byDigits) digitsOf[made.get()] = byDigits;
    put(makeStmt(Declare{made, init}), byDigits);
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
  // From where something may be stored.
  bool loadsMemory(const ExprPtr& e) const {
    bool found = false;
    for (const ir::Access& access : accesses(e)) {
      const VarPtr root = rootVariable(access.place);
      const Variable* own = storageOf(*access.place);
      const bool isOwn = own && own->storage == Storage::Local;
      found = found || !root || stored.contains(root.get()) || (isOwn && !constants.contains(own));
    }
    return found;
  }
  unsigned digitsIn(const ExprPtr& e) const {
    unsigned found = 0;
    walkExprs(e, [&](const Expr& one) {
      const auto* var = one.as<VarRef>();
      const auto known = var ? digitsOf.find(var->var.get()) : digitsOf.end();
      if (known != digitsOf.end()) found |= known->second;
    });
    return found;
  }

  void store(size_t s, const Assign& a, const RowSlots& slots, bool isStored, Copy& copy,
             const SourceLoc& loc) {
    ExprPtr what = copy.rewrite(a.value);
    if (slots.row) {
      const ExprPtr slot = handed(slots);
      put(assign(slot, what, loc), allDigits);
      what = slot;
    } else if (slots.value >= 0) {
      const size_t number = size_t(slots.value);
      const VarPtr& array = flow.values[number].array;
      size_t nth = 0;
      for (size_t i = 0; i < number; ++i) nth += flow.values[i].step == s && flow.values[i].array == array;
      what = kept[number] = namedValue(what, [&] {
        return makeLocal(names, fmt::format("{}_{}_{}", array->name, s + 1, nth), a.place->type, true);
      });
    }
    if (!isStored) return;
    copy.elements.erase(a.place.get());
    put(assign(copy.rewrite(a.place), what, loc), allDigits);
  }

  const Plan& plan;
  const std::vector<LaunchCode>& steps;
  const LaunchGroups& groups;
  const LaunchFlow& flow;
  std::set<std::string> reserved;
  Names names;
  bool mayLoop;
  DigitExpr digits;
  StmtList inside;
  std::vector<ExprPtr> kept;  // what values that are in no row are called
  std::vector<LaunchRow> rows;
  std::map<const LaunchRow*, VarPtr> rowArrays;
  std::set<const Variable*> constants, stored;
  std::vector<std::pair<ExprPtr, ExprPtr>> shared;  // values and the variables that have them
  // Of the loops at hand.
  std::vector<MemberStmt> looped;
  unsigned allDigits = 0;
  std::map<const Variable*, unsigned> digitsOf;  // those that a counter or a value depends on
  std::vector<std::string> counterNames;         // from the innermost loop on
};

}  // namespace

FusedKernel fusedKernel(const Plan& plan, const std::vector<LaunchCode>& steps, const LaunchGroups& groups,
                        const LaunchFlow& flow, const std::string& name) {
  auto kernel = std::make_shared<Kernel>(*steps[0].kernel);
  kernel->name = name;
  Joiner writtenOut(plan, steps, groups, flow, false), inLoops(plan, steps, groups, flow, true);
  StmtPtr body = writtenOut.body();
  size_t count = 0;
  walkStmts(body, [&](const Stmt&) { ++count; });
  const StmtPtr loops = count > kMostWritten ? inLoops.body() : nullptr;
  // Values that members share must be computed once in loops too.
  const bool isRolled = loops && inLoops.hasLoops && inLoops.calls <= writtenOut.calls;
  if (isRolled) body = loops;
  const VarPtr groupCount = isRolled ? inLoops.groupCount : writtenOut.groupCount;

  // Parameters: the original's first, then what else of the plan is used.
  std::set<const Variable*> used;
  std::vector<VarPtr> others;
  const std::set<const Variable*> own = declaredVariables(body);
  const std::vector<VarPtr>& params = plan.original->params;
  walkExprs(body, [&](const Expr& e) {
    const auto* var = e.as<VarRef>();
    if (!var || own.contains(var->var.get()) || var->var->storage == Storage::Global ||
        var->var == groupCount)
      return;
    if (used.insert(var->var.get()).second &&
        std::find(params.begin(), params.end(), var->var) == params.end())
      others.push_back(var->var);
  });
  FusedKernel out;
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
  if (groupCount) {
    kernel->params.push_back(groupCount);
    out.args.push_back(convert(groups.sizes.groupsOnHost(), groupCount->type));
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
