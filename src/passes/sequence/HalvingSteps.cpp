// Finds `part[x] = value;`, the loop of halving steps over `part` behind it, and what thread 0 does in the
// end.
#include <fmt/core.h>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/host/PlanEdit.h"
#include "passes/reduce/SplitIterations.h"
#include "passes/reduce/SumUpdates.h"
#include "passes/sequence/GridSummer.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isBarrier(const StmtPtr& s) {
  const auto* barrier = as<Barrier>(s);
  return barrier && barrier->scope == SyncScope::Grid;
}
bool isSilent(const StmtPtr& s) { return s->is<Comment>(); }

[[noreturn]] void refuseSteps(const SourceLoc& loc) {
  refuse("its grid-wide barriers do not stand in a loop of halving steps over one value of each thread", loc);
}

// Replaces one element of an array by a variable.
class ReplaceElement : public Rewriter {
 public:
  ReplaceElement(const Variable* ofArray, VarPtr byVar) : array(ofArray), var(std::move(byVar)) {}

 private:
  const Variable* array;
  VarPtr var;
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* element = as<Subscript>(e);
    const auto* base = element ? as<VarRef>(element->base) : nullptr;
    return base && base->var.get() == array ? ref(var) : e;
  }
};

}  // namespace

ExprPtr GridSummer::resolved(const ExprPtr& e) const {
  const ExprPtr bare = withoutIdCasts(e);
  const auto* var = as<VarRef>(bare);
  auto declared = var ? declarations.find(var->var.get()) : declarations.end();
  if (declared == declarations.end() || !declared->second->init || assigned.contains(var->var.get()))
    return bare;
  return resolved(declared->second->init);
}

bool GridSummer::isCoord(const ExprPtr& e, CoordKind kind) const {
  const auto* c = as<Coord>(resolved(e));
  return c && c->kind == kind && c->axis == 0;
}

bool GridSummer::isProduct(const ExprPtr& e, CoordKind a, CoordKind b) const {
  const ExprPtr r = resolved(e);
  const auto* product = as<Binary>(r);
  return product && product->op == BinaryOp::Mul &&
         eitherWay(
             *product, [&](const ExprPtr& x) { return isCoord(x, a); },
             [&](const ExprPtr& x) { return isCoord(x, b); });
}

bool GridSummer::isId(const ExprPtr& e) const {
  const ExprPtr r = resolved(e);
  if (isCoord(r, CoordKind::GlobalId)) return true;
  const auto* added = as<Binary>(r);
  return added && added->op == BinaryOp::Add &&
         eitherWay(
             *added, [&](const ExprPtr& x) { return isProduct(x, CoordKind::BlockIdx, CoordKind::BlockDim); },
             [&](const ExprPtr& x) { return isCoord(x, CoordKind::ThreadIdx); });
}

bool GridSummer::isCount(const ExprPtr& e) const {
  return isCoord(e, CoordKind::GlobalSize) || isProduct(e, CoordKind::GridDim, CoordKind::BlockDim);
}

bool GridSummer::isOf(const ExprPtr& e, const VarPtr& var) const {
  const auto* r = as<VarRef>(resolved(e));
  return r && r->var == var;
}

bool GridSummer::isHalf(const ExprPtr& e, const std::function<bool(const ExprPtr&)>& ofWhat) const {
  const ExprPtr r = resolved(e);
  const auto* b = as<Binary>(r);
  return b && ofWhat(b->lhs) &&
         ((b->op == BinaryOp::Div && isNumber(b->rhs, 2)) || (b->op == BinaryOp::Shr && isNumber(b->rhs, 1)));
}

ExprPtr GridSummer::indexIn(const ExprPtr& e) const {
  const auto* element = as<Subscript>(e);
  const auto* base = element ? as<VarRef>(element->base) : nullptr;
  return base && base->var == array && element->indices.size() == 1 ? element->indices[0] : nullptr;
}

bool GridSummer::isOwn(const ExprPtr& e) const {
  const ExprPtr at = indexIn(e);
  return at && isId(at);
}

void GridSummer::find() {
  const StmtList& list = as<Block>(kernel->body)->stmts;
  size_t loop = 0;
  while (loop < list.size() && !holdsBarrier(list[loop])) ++loop;
  // A barrier of its own may stand before the loop.
  const size_t firstBarrier = loop;
  while (loop < list.size() && (isBarrier(list[loop]) || isSilent(list[loop]))) ++loop;
  const auto* steps = loop < list.size() ? list[loop]->as<For>() : nullptr;
  size_t at = firstBarrier;
  while (at > 0 && isSilent(list[at - 1])) --at;
  const auto* stored = at > 0 ? list[at - 1]->as<Assign>() : nullptr;
  const auto* place = stored ? as<Subscript>(stored->place) : nullptr;
  const auto* base = place ? as<VarRef>(place->base) : nullptr;
  if (!steps || !base || stored->op || base->var->storage != Storage::Param)
    refuseSteps(list[std::min(loop, list.size() - 1)]->loc);
  array = base->var;
  store = list[at - 1];
  tree = list[loop];
  value = stored->value;
  if (!isOwn(stored->place) || !matchSteps(*steps, firstBarrier != loop)) refuseSteps(tree->loc);
  if (!array->type->element->isArithmetic() || array->type->isVolatile)
    refuse(fmt::format("{} holds no plain numbers", array->name), store->loc);
  if (!context.outputs || context.outputs->contains(array->name))
    refuse(fmt::format("what is left in {} may be read after the launch; say otherwise with "
                       "#pragma hone temporary({})",
                       array->name, array->name),
           store->loc);
  before.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(at) - 1);
  for (const StmtPtr& s : before)
    if (hasEffect(s) || holdsShared(s))
      refuse("threads do more than compute a value before they put it together", s->loc);
  for (size_t i = loop + 1; i < list.size(); ++i) takeRest(list[i]);
  sum = makeLocal(names, array->name + "_sum", array->type->element);
  ReplaceElement put(array.get(), sum);
  StmtList rest;
  for (const StmtPtr& s : after)
    for (const StmtPtr& one : put.rewrite(s)) rest.push_back(one);
  after = rest;
}

bool GridSummer::holdsBarrier(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) {
    const auto* barrier = one.as<Barrier>();
    found = found || (barrier && barrier->scope == SyncScope::Grid);
  });
  return found;
}

bool GridSummer::holdsShared(const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) {
    const auto* d = one.as<Declare>();
    found = found || (d && d->var->space == Space::Shared);
  });
  return found;
}

bool GridSummer::matchSteps(const For& loop, bool barrierBefore) {
  const auto* first = loop.init.size() == 1 ? loop.init[0]->as<Declare>() : nullptr;
  const auto* next = loop.step.size() == 1 ? loop.step[0]->as<Assign>() : nullptr;
  if (!first || !first->init || !next || !first->var->type->isInteger() || first->var->type->bits < 32)
    return false;
  const VarPtr s = first->var;
  const auto* test = as<Binary>(loop.cond);
  const bool goesToOne = test && isOf(test->lhs, s) &&
                         ((test->op == BinaryOp::Gt && isNumber(test->rhs, 0)) ||
                          (test->op == BinaryOp::Ge && isNumber(test->rhs, 1)) ||
                          (test->op == BinaryOp::Ne && isNumber(test->rhs, 0)));
  const bool halves =
      isOf(next->place, s) && (next->op ? (*next->op == BinaryOp::Div && isNumber(next->value, 2)) ||
                                              (*next->op == BinaryOp::Shr && isNumber(next->value, 1))
                                        : isHalf(next->value, [&](const ExprPtr& e) { return isOf(e, s); }));
  if (!goesToOne || !halves || !isHalf(first->init, [&](const ExprPtr& e) { return isCount(e); }))
    return false;
  StmtList body;
  for (const StmtPtr& one : as<Block>(loop.body)->stmts)
    if (!isSilent(one)) body.push_back(one);
  if (body.size() < 2 || body.size() > 3) return false;
  const StmtPtr* work = nullptr;
  for (const StmtPtr& one : body)
    if (!isBarrier(one)) {
      if (work) return false;
      work = &one;
    }
  const bool barrierFirst = isBarrier(body.front());
  const auto* guarded = work ? as<If>(*work) : nullptr;
  if (!guarded || guarded->otherwise || !(barrierFirst || barrierBefore)) return false;
  const auto* below = as<Binary>(guarded->cond);
  if (!below) return false;
  const bool isBelow = (below->op == BinaryOp::Lt && isId(below->lhs) && isOf(below->rhs, s)) ||
                       (below->op == BinaryOp::Gt && isId(below->rhs) && isOf(below->lhs, s));
  StmtList inside;
  for (const StmtPtr& one : as<Block>(guarded->then)->stmts)
    if (!isSilent(one)) inside.push_back(one);
  const auto* join = inside.size() == 1 ? inside[0]->as<Assign>() : nullptr;
  if (!isBelow || !join || !isOwn(join->place)) return false;
  auto isOther = [&](const ExprPtr& e) {
    const ExprPtr at = indexIn(e), index = at ? resolved(at) : nullptr;
    const auto* added = as<Binary>(index);
    return added && added->op == BinaryOp::Add &&
           eitherWay(
               *added, [&](const ExprPtr& x) { return isId(x); },
               [&](const ExprPtr& x) { return isOf(x, s); });
  };
  const TypePtr& type = join->place->type;
  if (join->op) {
    how.op = join->op;
    return isOther(withoutSumCasts(join->value, type));
  }
  const ExprPtr joined = withoutSumCasts(join->value, type);
  if (const auto* b = as<Binary>(joined)) {
    how.op = b->op;
    return eitherWay(
        *b, [&](const ExprPtr& e) { return isOwn(withoutSumCasts(e, type)); },
        [&](const ExprPtr& e) { return isOther(withoutSumCasts(e, type)); });
  }
  const ExprPtr chosen = beforePlace(join->value, type);
  const auto* call = as<Call>(chosen);
  if (!call || !call->intrinsic || call->args.size() != 2) return false;
  how.call = call->intrinsic;
  const ExprPtr one = withoutExactCasts(call->args[0]), other = withoutExactCasts(call->args[1]);
  return (isOwn(one) && isOther(other)) || (isOwn(other) && isOther(one));
}

void GridSummer::takeRest(const StmtPtr& s) {
  if (isBarrier(s)) return;
  if (isSilent(s)) {
    after.push_back(s);
    return;
  }
  const auto* choice = as<If>(s);
  const auto* test = choice && !choice->otherwise ? as<Binary>(choice->cond) : nullptr;
  const bool isFirst = test && ((test->op == BinaryOp::Eq && isId(test->lhs) && isNumber(test->rhs, 0)) ||
                                (test->op == BinaryOp::Eq && isId(test->rhs) && isNumber(test->lhs, 0)) ||
                                (test->op == BinaryOp::Lt && isId(test->lhs) && isNumber(test->rhs, 1)));
  if (!isFirst || holdsBarrier(s))
    refuse("behind its halving steps other threads than the first one have work", s->loc);
  walkStmts(choice->then, [&](const Stmt& one) {
    for (const ir::Access& a : accesses(one)) {
      if (rootVariable(a.place) != array) continue;
      const ExprPtr at = indexIn(a.place);
      if (a.mode != AccessMode::Read || !at || !(isId(at) || isNumber(at, 0)))
        refuse(fmt::format("behind its halving steps more of {} is used than the sum", array->name), s->loc);
    }
  });
  for (const StmtPtr& one : as<Block>(choice->then)->stmts) after.push_back(one);
}

}  // namespace hone::passes
