#include "passes/shared/FillValue.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/Implied.h"
#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::passes {

using namespace ir;
using affine::AccessId;
using affine::CondPtr;
using affine::KernelModel;

namespace {

bool isNumber(const ExprPtr& e) { return e->is<IntLiteral>() || e->is<FloatLiteral>(); }

// Statements around one, outermost first, itself last.
std::vector<StmtPtr> pathTo(const StmtPtr& body, const Stmt* wanted) {
  if (body.get() == wanted) return {body};
  std::vector<StmtPtr> found;
  forEachChild(*body, [&](const StmtPtr& child) {
    if (!found.empty()) return;
    found = pathTo(child, wanted);
    if (!found.empty()) found.insert(found.begin(), body);
  });
  return found;
}

// Calls refuse.
class FillReader {
 public:
  FillReader(const KernelModel& m, AccessId of)
      : model(m), store(m.accesses[of]), base(affine::conjuncts(store.guard)) {}

  FillValue run() {
    const auto* node = as<Assign>(store.stmt);
    if (store.mode != AccessMode::Write || store.atomic || !node || node->op || node->place != store.place)
      refuse(fmt::format("{} is not filled by assignments of whole elements", nameOfTile()), store.loc);
    collect(store.stmt, node->value, [](const ExprPtr& e) { return e; });
    if (numbers.empty()) {
      // Without a value for the rest, the last of the conditions must hold wherever the others do not.
      if (isPartial && !coversAll())
        refuse(fmt::format("{} may be filled with a value that was never set", nameOfTile()), store.loc);
    } else {
      found.choices.push_back({affine::always(), {numbers.front(), {}}});
    }
    return std::move(found);
  }

 private:
  using Wrap = std::function<ExprPtr(const ExprPtr&)>;

  const std::string& nameOfTile() const { return model.arrays[store.array].name; }

  [[noreturn]] void refuseValue(const SourceLoc& loc) const {
    refuse(fmt::format("what fills {} is more than a value of global memory: it is computed", nameOfTile()),
           loc.valid() ? loc : store.loc);
  }

  // The leaves of a value that a statement uses.
  void collect(const StmtPtr& stmt, const ExprPtr& e, const Wrap& wrap) {
    if (const auto* choice = as<Select>(e)) {
      collect(stmt, choice->yes, wrap);
      collect(stmt, choice->no, wrap);
      return;
    }
    if (const auto* cast = as<Cast>(e)) {
      const ExprPtr around = e;
      collect(stmt, cast->operand, [wrap, around](const ExprPtr& inner) {
        return wrap(makeExpr(around->type, Cast{inner, as<Cast>(around)->isExplicit}, around->loc));
      });
      return;
    }
    if (const auto* use = as<VarRef>(e); use && use->var->storage == Storage::Local && !isAccess(stmt, e)) {
      collectVariable(use->var, wrap);
      return;
    }
    FillLeaf leaf;
    leaf.value = wrap(e);
    addLoads(stmt, e, leaf);
    if (leaf.loads.empty())
      addNumber(leaf.value, e->loc);
    else
      addLeaf(std::move(leaf));
  }

  bool isAccess(const StmtPtr& stmt, const ExprPtr& place) const {
    return std::any_of(model.accesses.begin(), model.accesses.end(),
                       [&](const affine::Access& a) { return a.stmt == stmt && a.place == place; });
  }

  void addNumber(const ExprPtr& value, const SourceLoc& loc) {
    if (!numbers.empty() && !equal(numbers.front(), value))
      refuse(fmt::format("{} is filled with different numbers, by conditions that cannot be asked again",
                         nameOfTile()),
             loc.valid() ? loc : store.loc);
    numbers.push_back(value);
  }

  void addLeaf(FillLeaf leaf) {
    std::vector<CondPtr> when;
    for (const auto& [place, load] : leaf.loads)
      for (const CondPtr& part : affine::conjuncts(model.accesses[load].guard)) {
        if (isAmong(base, part) || isAmong(when, part)) continue;
        if (affine::hasUnknown(part))
          refuse(fmt::format("{} is filled under a condition that cannot be asked again: {}", nameOfTile(),
                             affine::unknownReason(part)),
                 model.accesses[load].loc);
        when.push_back(part);
      }
    found.choices.push_back({affine::allOf(std::move(when)), std::move(leaf)});
  }

  static bool isAmong(const std::vector<CondPtr>& list, const CondPtr& part) {
    return std::any_of(list.begin(), list.end(), [&](const CondPtr& c) { return affine::sameCond(c, part); });
  }

  bool coversAll() const {
    std::vector<CondPtr> conditions;
    for (const FillValue::Choice& choice : found.choices) conditions.push_back(choice.when);
    if (affine::allOf(conditions)->kind == affine::CondKind::True && conditions.size() == 1) return true;
    return std::any_of(conditions.begin(), conditions.end(), [&](const CondPtr& c) {
      return c->kind == affine::CondKind::True || isAmong(conditions, affine::negation(c));
    });
  }

  // What is read from memory in a value that holds nothing else but numbers.
  void addLoads(const StmtPtr& stmt, const ExprPtr& e, FillLeaf& leaf) {
    for (const AccessId a : model.accesses.ids()) {
      const affine::Access& access = model.accesses[a];
      if (access.stmt != stmt || access.place != e) continue;
      const affine::Array* array = access.array.isSome() ? &model.arrays[access.array] : nullptr;
      if (access.mode != AccessMode::Read || access.atomic || !array || array->isVolatile ||
          !(array->space == Space::Global || array->space == Space::Constant))
        refuse(fmt::format("what fills {} does not come from global memory", nameOfTile()), access.loc);
      leaf.loads.emplace(e.get(), a);
      return;
    }
    if (isNumber(e)) return;
    const auto* param = as<VarRef>(e);
    if (param && param->var->storage == Storage::Param && e->type->isArithmetic()) {
      if (assignedVariables(model.kernel->body).contains(param->var.get())) refuseValue(e->loc);
      return;
    }
    const auto* call = as<Call>(e);
    const bool isLoad =
        call && call->intrinsic && call->args.size() == 1 && as<AddressOf>(call->args.front());
    if (!isLoad && !e->is<Cast>() && !e->is<Member>() && !e->is<Swizzle>() && !e->is<Construct>())
      refuseValue(e->loc);
    if (isLoad) {
      addLoads(stmt, as<AddressOf>(call->args.front())->place, leaf);
      if (leaf.loads.empty()) refuseValue(e->loc);
      return;
    }
    forEachChild(*e, [&](const ExprPtr& part) { addLoads(stmt, part, leaf); });
  }

  // A variable that holds, where the store stands, what one of its assignments gave it: the last one whose
  // condition holds.
  void collectVariable(const VarPtr& var, const Wrap& wrap) {
    auto notOne = [&]() {
      refuse(
          fmt::format("{} is filled from {}, which does not hold one value there", nameOfTile(), var->name),
          store.loc);
    };
    if (addressTaken(model.kernel->body).contains(var.get()) || var->isVolatile || !depth--) notOne();
    std::vector<StmtPtr> given;
    size_t count = 0;
    walkStmts(model.kernel->body, [&](const Stmt& s) {
      const auto* declare = s.as<Declare>();
      if (declare && declare->var == var) {
        const std::vector<StmtPtr> path = pathTo(model.kernel->body, &s);
        given.push_back(path.back());
        ++count;
      }
      const auto* assigned = s.as<Assign>();
      if (assigned && storageOf(*assigned->place) == var.get()) {
        const std::vector<StmtPtr> path = pathTo(model.kernel->body, &s);
        if (assigned->op || !assigned->place->is<VarRef>()) notOne();
        given.push_back(path.back());
      }
    });
    if (count != 1 || !given.front()->is<Declare>()) notOne();
    // All assignments stand in the block of the declaration, outside of its loops, before the store.
    const std::vector<StmtPtr> home = pathTo(model.kernel->body, given.front().get());
    const StmtPtr& scope = home[home.size() - 2];
    const std::vector<StmtPtr> own = pathTo(model.kernel->body, store.stmt.get());
    if (!scope->is<Block>() || std::find(own.begin(), own.end(), scope) == own.end()) notOne();
    for (const StmtPtr& one : given) {
      const std::vector<StmtPtr> path = pathTo(scope, one.get());
      for (const StmtPtr& around : path)
        if (around->is<For>() || around->is<While>() || around->is<DoWhile>() || around->is<Switch>())
          notOne();
      if (!standsBefore(one, store.stmt)) notOne();
    }
    std::vector<StmtPtr> literal;
    for (size_t i = given.size(); i-- > 0;) {
      const auto* declare = as<Declare>(given[i]);
      const ExprPtr value = declare ? declare->init : as<Assign>(given[i])->value;
      if (!value) continue;
      const size_t before = found.choices.size();
      const size_t numbersBefore = numbers.size();
      collect(given[i], value, wrap);
      // A number that was given last counts before the loads above it, which is right where they exclude it.
      if (found.choices.size() > before)
        for (const StmtPtr& later : literal)
          if (!excludeEachOther(scope, given[i], later)) notOne();
      if (numbers.size() > numbersBefore) literal.push_back(given[i]);
      // What is given without a condition hides all before it.
      const std::vector<StmtPtr> path = pathTo(scope, given[i].get());
      const bool isUnconditional =
          std::none_of(path.begin(), path.end(), [](const StmtPtr& s) { return s->is<If>(); });
      if (isUnconditional) return;
    }
    isPartial = true;
  }

  bool standsBefore(const StmtPtr& first, const StmtPtr& second) const {
    int at = 0, a = -1, b = -1;
    walkStmts(model.kernel->body, [&](const Stmt& s) {
      ++at;
      if (&s == first.get()) a = at;
      if (&s == second.get()) b = at;
    });
    return a >= 0 && a < b;
  }

  // Whether they stand in different branches of one If.
  static bool excludeEachOther(const StmtPtr& scope, const StmtPtr& a, const StmtPtr& b) {
    const std::vector<StmtPtr> first = pathTo(scope, a.get()), second = pathTo(scope, b.get());
    for (size_t i = 0; i + 1 < first.size() && i + 1 < second.size(); ++i) {
      if (first[i] != second[i]) return false;
      if (first[i]->is<If>() && first[i + 1] != second[i + 1]) return true;
    }
    return false;
  }

  const KernelModel& model;
  const affine::Access& store;
  std::vector<CondPtr> base;
  FillValue found;
  std::vector<ExprPtr> numbers;  // without loads
  bool isPartial = false;        // a variable may hold none of its values
  unsigned depth = 8;            // variables that hold each other's values
};

}  // namespace

Result<FillValue> fillValue(const KernelModel& model, AccessId store) {
  return refusing([&] { return FillReader(model, store).run(); });
}

}  // namespace hone::passes
