// Threads become iterations of a loop that adds their values up. Where the value is itself a sum over every
// so many elements, `for (i = x; i < n; i += threads)`, the two loops are one over all elements.
#include "passes/sequence/GridSums.h"

#include <fmt/core.h>

#include "affine/KernelModel.h"
#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/host/PlanEdit.h"
#include "passes/reduce/SplitIterations.h"
#include "passes/reduce/SumUpdates.h"
#include "passes/sequence/GridSummer.h"

namespace hone::passes {

using namespace ir;

namespace {

class RenameSum : public Rewriter {
 public:
  RenameSum(VarPtr what, VarPtr by) : from(std::move(what)), to(std::move(by)) {}

 private:
  VarPtr from, to;
  VarPtr mapVar(const VarPtr& v) override { return v == from ? to : v; }
};

// Ids replaced by another number.
class ReplaceIds : public Rewriter {
 public:
  ReplaceIds(const GridSummer& all, ExprPtr byNumber) : summer(all), number(std::move(byNumber)) {}
  ExprPtr rewrite(const ExprPtr& e) override {
    return e && summer.isPlainId(e) ? convert(number, e->type) : Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override { return Rewriter::rewrite(s); }

 private:
  const GridSummer& summer;
  ExprPtr number;
};

}  // namespace

GridSummer::GridSummer(const PlanPtr& ofPlan, const LaunchStep& ofLaunch, const KernelPtr& structuredKernel,
                       const PassContext& passContext)
    : plan(ofPlan), launch(ofLaunch), kernel(structuredKernel), context(passContext), names(*kernel) {
  walkStmts(kernel->body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) declarations[d->var.get()] = d;
  });
  assigned = assignedVariables(kernel->body);
  const std::set<const Variable*> taken = addressTaken(kernel->body);
  assigned.insert(taken.begin(), taken.end());
}

PlanPtr GridSummer::run() {
  find();
  auto copy = std::make_shared<Kernel>(*kernel);
  if (!asOneLoop(*copy)) asLoopOverThreads(*copy);
  const VarPtr count = makeParameter(names, "threads_x", uint32());
  copy->body = withoutDeadCode(withGridSize(copy->body, {count, nullptr, nullptr}), {});
  for (CoordKind kind : {CoordKind::GridDim, CoordKind::BlockDim, CoordKind::GlobalSize})
    if (usedAxes(copy->body, kind))
      refuse("it asks for the shape of its grid or block otherwise than for the number of threads",
             kernel->loc);
  LaunchStep step = launch;
  copy->params.push_back(count);
  step.args.push_back(convert(times(launch.grid[0], launch.block[0]), uint32()));
  dropUnusedParameters(*copy, step);
  copy->story.emplace_back(
      "What threads put together in steps is one sum; no barriers of the grid are left.");
  copy->launchBounds.reset();
  step.kernel = copy;
  step.cooperative = false;
  for (unsigned axis = 0; axis < 3; ++axis) step.grid[axis] = step.block[axis] = intLit(1, uint32());
  checkOrder(step.kernel);
  auto made = std::make_shared<Plan>(*plan);
  made->steps = {step};
  // Steps that halve an odd number leave one value out.
  const ExprPtr all = binary(BinaryOp::Mul, convert(launch.grid[0], int64()), launch.block[0]);
  ExprPtr condition =
      binary(BinaryOp::Eq, binary(BinaryOp::BitAnd, all, minus(all, intLit(1, int64()))), intLit(0, int64()));
  condition = andAlso(condition, binary(BinaryOp::Le, all, intLit(int64_t{1} << 30, int64())));
  // Ids that begin elsewhere than at 0 are none of these threads.
  if (usedAxes(kernel->body, CoordKind::GlobalId))
    condition = andAlso(
        condition, binary(BinaryOp::Eq, coord(CoordKind::GlobalOffset, 0, uint64()), intLit(0, uint64())));
  for (unsigned axis = 1; axis < 3; ++axis)
    for (const ExprPtr& extent : {launch.grid[axis], launch.block[axis]})
      condition = andAlso(condition, simplified(binary(BinaryOp::Eq, extent, intLit(1, uint32()))));
  return onlyWhere(made, condition);
}

bool GridSummer::isUniform(const ExprPtr& e, const std::set<const Variable*>& own) const {
  bool is = true;
  walkExprs(e, [&](const Expr& one) {
    const auto* c = one.as<Coord>();
    if (c &&
        (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::BlockIdx || c->kind == CoordKind::GlobalId))
      is = false;
    const auto* r = one.as<VarRef>();
    if (!r || r->var->storage != Storage::Local || own.contains(r->var.get())) return;
    auto declared = declarations.find(r->var.get());
    if (declared == declarations.end() || !declared->second->init || assigned.contains(r->var.get()) ||
        !isUniform(declared->second->init, own))
      is = false;
  });
  return is;
}

bool GridSummer::asOneLoop(Kernel& copy) {
  const auto* result = as<VarRef>(value);
  size_t last = before.size();
  while (last > 0 && before[last - 1]->is<Comment>()) --last;
  const auto* loop = last > 0 ? before[last - 1]->as<For>() : nullptr;
  if (!result || !loop || result->var->storage != Storage::Local) return false;
  const auto count = counted(*loop);
  const Declare* begins = nullptr;
  size_t declaredAt = 0;
  for (; declaredAt + 1 < last && !begins; ++declaredAt) {
    const auto* d = before[declaredAt]->as<Declare>();
    if (d && d->var == result->var) begins = d;
  }
  const bool strides = count && count->declares && loop->init.size() == 1 && loop->step.size() == 1 &&
                       count->begin && isId(count->begin) && count->op == BinaryOp::Add &&
                       isCount(count->step) && count->var->type->bits >= 32 &&
                       (count->compare == BinaryOp::Lt || count->compare == BinaryOp::Le);
  if (!strides || !begins || !begins->init || assignedBetween(declaredAt, last - 1, result->var.get()))
    return false;
  // What counts once for each thread must count for nothing.
  const bool isIdempotent = how.call || how.op == BinaryOp::BitAnd || how.op == BinaryOp::BitOr;
  if (!isIdempotent && !isNeutral(begins->init)) return false;
  if (isIdempotent && !isUniform(begins->init, {})) return false;
  std::set<const Variable*> own = declaredVariables(loop->body);
  own.insert(count->var.get());
  own.insert(result->var.get());
  bool isSame = isUniform(count->end, {count->var.get()});
  walkStmts(loop->body, [&](const Stmt& s) {
    isSame = isSame && !s.is<Break>() && !s.is<Return>();
    forEachExpr(s, [&](const ExprPtr& e) { isSame = isSame && (!e || isUniform(e, own)); });
  });
  if (!isSame) return false;
  For whole = *loop;
  const TypePtr type = count->var->type;
  whole.init = {makeStmt(Declare{count->var, intLit(0, type)}, loop->init[0]->loc)};
  whole.step = {makeStmt(Assign{ref(count->var), BinaryOp::Add, intLit(1, type), true}, loop->step[0]->loc)};
  StmtList all(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(last) - 1);
  all.push_back(makeStmt(whole, before[last - 1]->loc));
  RenameSum put(sum, result->var);
  for (const StmtPtr& s : after)
    for (const StmtPtr& one : put.rewrite(s)) all.push_back(one);
  copy.body = ReplaceIds(*this, intLit(0)).rewriteBlock(block(all, kernel->body->loc));
  sum = result->var;
  isCollapsed = true;
  return true;
}

bool GridSummer::assignedBetween(size_t from, size_t to, const Variable* var) const {
  for (size_t i = from; i < to; ++i)
    if (assignedVariables(before[i]).contains(var)) return true;
  return false;
}

bool GridSummer::isNeutral(const ExprPtr& e) const {
  const ExprPtr plain = withoutCasts(e);
  const int64_t wanted = how.op == BinaryOp::Mul ? 1 : 0;
  if (const auto* number = as<FloatLiteral>(plain)) return number->value == static_cast<double>(wanted);
  return isNumber(plain, wanted);
}

void GridSummer::asLoopOverThreads(Kernel& copy) {
  const TypePtr type = sum->type;
  ExprPtr neutral;
  if (how.op == BinaryOp::Add || how.op == BinaryOp::BitOr || how.op == BinaryOp::BitXor)
    neutral = convert(zeroOf(type), type);
  else if (how.op == BinaryOp::Mul)
    neutral = type->isFloating() ? floatLit(1, type) : convert(intLit(1), type);
  else if (how.op == BinaryOp::BitAnd)
    neutral = convert(intLit(-1), type);
  if (!neutral) refuse("the values of its threads have no neutral one to begin with", store->loc);
  const VarPtr iteration = makeLocal(names, "thread", int32());
  const VarPtr count = makeLocal(names, "threads", int32(), true);
  StmtList body = before;
  body.push_back(sameType(promoted(type), type)
                     ? makeStmt(Assign{ref(sum), how.op, value}, store->loc)
                     : assign(ref(sum), convert(binary(*how.op, ref(sum), value), type), store->loc));
  ReplaceIds ids(*this, ref(iteration));
  const StmtPtr inside = ids.rewriteBlock(block(body));
  for (CoordKind kind : {CoordKind::ThreadIdx, CoordKind::BlockIdx, CoordKind::GlobalId})
    if (usedAxes(inside, kind))
      refuse("its threads are known by more than their place in the grid", kernel->loc);
  const auto threads = convert(
      times(coordOf(*kernel, CoordKind::GridDim, 0), coordOf(*kernel, CoordKind::BlockDim, 0)), int32());
  StmtList all{makeStmt(Declare{sum, neutral}), makeStmt(Declare{count, threads}),
               countingLoop({.var = iteration, .end = ref(count), .body = inside}, tree->loc)};
  // What follows may use values of thread 0 from before.
  StmtPtr rest = block(after);
  for (auto s = before.rbegin(); s != before.rend(); ++s) {
    const auto* d = (*s)->as<Declare>();
    if (!d || !mentions(rest, d->var.get())) continue;
    bool isPlain = d->init && !assigned.contains(d->var.get());
    if (isPlain)
      walkExprs(d->init, [&](const Expr& e) { isPlain = isPlain && !e.is<Subscript>() && !e.is<Call>(); });
    if (!isPlain)
      refuse(fmt::format("{} is used before and behind the halving steps", d->var->name), (*s)->loc);
    rest = substituted(rest, {{d->var, d->init}});
  }
  rest = ReplaceIds(*this, intLit(0)).rewriteBlock(rest);
  all.insert(all.end(), as<Block>(rest)->stmts.begin(), as<Block>(rest)->stmts.end());
  copy.body = block(all, kernel->body->loc);
}

void GridSummer::checkOrder(const KernelPtr& made) {
  const affine::KernelModel model = affine::buildModel(made, {1, 1, 1});
  Obstacle last = Refusal{"no loop is left"};
  for (const affine::LoopId l : model.loops.ids()) {
    if (model.loops[l].parent.isSome()) continue;
    const auto loop = reductionLoop(model, l);
    last = loop ? Obstacle() : loop.refusal();
    for (const Accumulator& one : sumsIn(model, l)) {
      if (one.var->name != sum->name || !isSameHow(one)) continue;
      if (one.isExact || context.reassociate) return;
      refuse(fmt::format("the order of the {} {} would change; pass --reassociate to permit it", str(one.how),
                         array->name),
             tree->loc);
    }
  }
  if (last) refuse(last->reason, tree->loc);
  refuse("its threads sum up otherwise than its halving steps do", tree->loc);
}

bool GridSummer::isSameHow(const Accumulator& one) const {
  if (how.call) return one.call == how.call;
  switch (one.how) {
    case Combine::Add: return how.op == BinaryOp::Add;
    case Combine::Mul: return how.op == BinaryOp::Mul;
    case Combine::And: return how.op == BinaryOp::BitAnd;
    case Combine::Or: return how.op == BinaryOp::BitOr;
    case Combine::Xor: return how.op == BinaryOp::BitXor;
    default: return false;
  }
}

PassResult sumInOneLoop(const PlanPtr& plan, const LaunchStep& launch, const KernelPtr& structuredKernel,
                        const PassContext& context) {
  const Kernel& original = *plan->original;
  PassResult result;
  const Obstacle no = refusing([&] {
    GridSummer summer(plan, launch, structuredKernel, context);
    result.plan = summer.run();
    result.remarks.push_back(
        {RemarkKind::Done, summer.where(), original.name,
         fmt::format("what its threads put together in {} step by step is one sum over all {}",
                     summer.arrayName(), summer.isWhole() ? "their iterations" : "threads")});
  });
  return no ? PassResult(*no) : result;
}

}  // namespace hone::passes
