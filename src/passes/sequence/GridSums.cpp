// 1. Find `part[x] = value;`, the loop of halving steps over `part` behind it, and what thread 0 does in the
// end.
// 2. Threads become rounds of a loop that adds their values up. Where the value is itself a sum over every so
// many elements, `for (i = x; i < n;
//    i += threads)`, the two loops are one over all elements.
#include "passes/sequence/GridSums.h"

#include <fmt/core.h>

#include "affine/KernelModel.h"
#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/Names.h"
#include "passes/host/PlanEdit.h"
#include "passes/reduce/ReductionLoop.h"
#include "passes/reduce/SplitRounds.h"
#include "passes/reduce/SumUpdates.h"

namespace hone::passes {

using namespace ir;

namespace {

struct CannotSum {
  std::string reason;
  SourceLoc loc;
};

// How two values become one in a step.
struct Step2 {
  std::optional<BinaryOp> op;
  const Intrinsic* call = nullptr;
};

bool isBarrier(const StmtPtr& s) {
  const auto* barrier = as<Barrier>(s);
  return barrier && barrier->scope == SyncScope::Grid;
}
bool isSilent(const StmtPtr& s) { return s->is<Comment>(); }

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

class Summer {
 public:
  Summer(const PlanPtr& ofPlan, const LaunchStep& ofLaunch, const KernelPtr& structuredKernel,
         const PassContext& passContext)
      : plan(ofPlan), launch(ofLaunch), kernel(structuredKernel), context(passContext), names(*kernel) {
    walkStmts(kernel->body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) declarations[d->var.get()] = d;
    });
    assigned = assignedVariables(kernel->body);
    const std::set<const Variable*> taken = addressTaken(kernel->body);
    assigned.insert(taken.begin(), taken.end());
  }

  PlanPtr run() {
    find();
    auto copy = std::make_shared<Kernel>(*kernel);
    if (!asOneLoop(*copy)) asLoopOverThreads(*copy);
    const VarPtr count = makeParameter(names, "threads_x", uint32());
    copy->body = withoutDeadCode(withGridSize(copy->body, {count, nullptr, nullptr}), {});
    for (CoordKind kind : {CoordKind::GridDim, CoordKind::BlockDim, CoordKind::GlobalSize})
      if (usedAxes(copy->body, kind))
        throw CannotSum{"it asks for the shape of its grid or block otherwise than for the number of threads",
                        kernel->loc};
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
    ExprPtr condition = binary(BinaryOp::Eq, binary(BinaryOp::BitAnd, all, minus(all, intLit(1, int64()))),
                               intLit(0, int64()));
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
  bool isWhole() const { return isCollapsed; }
  SourceLoc where() const { return tree->loc; }
  const std::string& arrayName() const { return array->name; }

 private:
  const PlanPtr& plan;
  const LaunchStep& launch;
  KernelPtr kernel;
  const PassContext& context;
  Names names;
  std::map<const Variable*, const Declare*> declarations;
  std::set<const Variable*> assigned;
  StmtList before, after;  // of the store; of the loop, by thread 0
  StmtPtr store, tree;
  VarPtr array, sum;
  ExprPtr value;  // of a thread
  Step2 how;
  bool isCollapsed = false;

  // A variable that has one value as that value, without conversions between integers of 32 bits and more.
  ExprPtr resolved(const ExprPtr& e) const {
    const ExprPtr bare = withoutIdCasts(e);
    const auto* var = as<VarRef>(bare);
    auto declared = var ? declarations.find(var->var.get()) : declarations.end();
    if (declared == declarations.end() || !declared->second->init || assigned.contains(var->var.get()))
      return bare;
    return resolved(declared->second->init);
  }
  bool isCoord(const ExprPtr& e, CoordKind kind) const {
    const auto* c = as<Coord>(resolved(e));
    return c && c->kind == kind && c->axis == 0;
  }
  template <class A, class B> static bool eitherWay(const Binary& b, A a, B other) {
    return (a(b.lhs) && other(b.rhs)) || (a(b.rhs) && other(b.lhs));
  }
  bool isProduct(const ExprPtr& e, CoordKind a, CoordKind b) const {
    const ExprPtr r = resolved(e);
    const auto* product = as<Binary>(r);
    return product && product->op == BinaryOp::Mul &&
           eitherWay(
               *product, [&](const ExprPtr& x) { return isCoord(x, a); },
               [&](const ExprPtr& x) { return isCoord(x, b); });
  }
  bool isId(const ExprPtr& e) const {
    const ExprPtr r = resolved(e);
    if (isCoord(r, CoordKind::GlobalId)) return true;
    const auto* added = as<Binary>(r);
    return added && added->op == BinaryOp::Add &&
           eitherWay(
               *added,
               [&](const ExprPtr& x) { return isProduct(x, CoordKind::BlockIdx, CoordKind::BlockDim); },
               [&](const ExprPtr& x) { return isCoord(x, CoordKind::ThreadIdx); });
  }
  bool isCount(const ExprPtr& e) const {
    return isCoord(e, CoordKind::GlobalSize) || isProduct(e, CoordKind::GridDim, CoordKind::BlockDim);
  }
  bool isOf(const ExprPtr& e, const VarPtr& var) const {
    const auto* r = as<VarRef>(resolved(e));
    return r && r->var == var;
  }
  bool isHalf(const ExprPtr& e, const std::function<bool(const ExprPtr&)>& ofWhat) const {
    const ExprPtr r = resolved(e);
    const auto* b = as<Binary>(r);
    return b && ofWhat(b->lhs) &&
           ((b->op == BinaryOp::Div && isNumber(b->rhs, 2)) ||
            (b->op == BinaryOp::Shr && isNumber(b->rhs, 1)));
  }
  // The element of the array that an expression is; null: none.
  ExprPtr indexIn(const ExprPtr& e) const {
    const auto* element = as<Subscript>(e);
    const auto* base = element ? as<VarRef>(element->base) : nullptr;
    return base && base->var == array && element->indices.size() == 1 ? element->indices[0] : nullptr;
  }
  bool isOwn(const ExprPtr& e) const {
    const ExprPtr at = indexIn(e);
    return at && isId(at);
  }
  bool uses(const StmtPtr& s, const Variable* var) const {
    bool found = false;
    walkExprs(s, [&](const Expr& e) {
      const auto* r = e.as<VarRef>();
      found = found || (r && r->var.get() == var);
    });
    return found;
  }

  void find() {
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
      throw CannotSum{notSteps, list[std::min(loop, list.size() - 1)]->loc};
    array = base->var;
    store = list[at - 1];
    tree = list[loop];
    value = stored->value;
    if (!isOwn(stored->place) || !matchSteps(*steps, firstBarrier != loop))
      throw CannotSum{notSteps, tree->loc};
    if (!array->type->element->isArithmetic() || array->type->isVolatile)
      throw CannotSum{fmt::format("{} holds no plain numbers", array->name), store->loc};
    if (!context.outputs || context.outputs->contains(array->name))
      throw CannotSum{fmt::format("what is left in {} may be read after the launch; say otherwise with "
                                  "#pragma hone temporary({})",
                                  array->name, array->name),
                      store->loc};
    before.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(at) - 1);
    for (const StmtPtr& s : before)
      if (hasEffect(s) || holdsShared(s))
        throw CannotSum{"threads do more than compute a value before they put it together", s->loc};
    for (size_t i = loop + 1; i < list.size(); ++i) takeRest(list[i]);
    sum = makeLocal(names, array->name + "_sum", array->type->element);
    ReplaceElement put(array.get(), sum);
    StmtList rest;
    for (const StmtPtr& s : after)
      for (const StmtPtr& one : put.rewrite(s)) rest.push_back(one);
    after = rest;
  }
  static constexpr const char* notSteps =
      "its grid-wide barriers do not stand in a loop of halving steps over one value of each thread";

  static bool holdsBarrier(const StmtPtr& s) {
    bool found = false;
    walkStmts(s, [&](const Stmt& one) {
      const auto* barrier = one.as<Barrier>();
      found = found || (barrier && barrier->scope == SyncScope::Grid);
    });
    return found;
  }
  static bool holdsShared(const StmtPtr& s) {
    bool found = false;
    walkStmts(s, [&](const Stmt& one) {
      const auto* d = one.as<Declare>();
      found = found || (d && d->var->space == Space::Shared);
    });
    return found;
  }

  // for (s = threads / 2; s > 0; s /= 2) { barrier; if (x < s) part[x] += part[x + s]; }
  bool matchSteps(const For& loop, bool barrierBefore) {
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
    const bool halves = isOf(next->place, s) &&
                        (next->op ? (*next->op == BinaryOp::Div && isNumber(next->value, 2)) ||
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

  // What follows the steps: by thread 0 alone, which knows the sum.
  void takeRest(const StmtPtr& s) {
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
      throw CannotSum{"behind its halving steps other threads than the first one have work", s->loc};
    walkStmts(choice->then, [&](const Stmt& one) {
      for (const ir::Access& a : accesses(one)) {
        if (rootVariable(a.place) != array) continue;
        const ExprPtr at = indexIn(a.place);
        if (a.mode != AccessMode::Read || !at || !(isId(at) || isNumber(at, 0)))
          throw CannotSum{
              fmt::format("behind its halving steps more of {} is used than the sum", array->name), s->loc};
      }
    });
    for (const StmtPtr& one : as<Block>(choice->then)->stmts) after.push_back(one);
  }

  // Whether an expression is the same for all threads.
  bool isUniform(const ExprPtr& e, const std::set<const Variable*>& own) const {
    bool is = true;
    walkExprs(e, [&](const Expr& one) {
      const auto* c = one.as<Coord>();
      if (c && (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::BlockIdx ||
                c->kind == CoordKind::GlobalId))
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

  // for (i = x; i < n; i += threads) over all threads is for (i = 0; i < n; ++i).
  bool asOneLoop(Kernel& copy) {
    const auto* result = as<VarRef>(value);
    size_t last = before.size();
    while (last > 0 && isSilent(before[last - 1])) --last;
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
    whole.step = {
        makeStmt(Assign{ref(count->var), BinaryOp::Add, intLit(1, type), true}, loop->step[0]->loc)};
    StmtList all(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(last) - 1);
    all.push_back(makeStmt(whole, before[last - 1]->loc));
    ReplaceVar put(sum, result->var);
    for (const StmtPtr& s : after)
      for (const StmtPtr& one : put.rewrite(s)) all.push_back(one);
    copy.body = Ids(*this, intLit(0)).rewriteBlock(block(all, kernel->body->loc));
    sum = result->var;
    isCollapsed = true;
    return true;
  }
  class ReplaceVar : public Rewriter {
   public:
    ReplaceVar(VarPtr what, VarPtr by) : from(std::move(what)), to(std::move(by)) {}

   private:
    VarPtr from, to;
    VarPtr mapVar(const VarPtr& v) override { return v == from ? to : v; }
  };
  bool assignedBetween(size_t from, size_t to, const Variable* var) const {
    for (size_t i = from; i < to; ++i)
      if (assignedVariables(before[i]).contains(var)) return true;
    return false;
  }
  bool isNeutral(const ExprPtr& e) const {
    const ExprPtr plain = withoutCasts(e);
    const int64_t wanted = how.op == BinaryOp::Mul ? 1 : 0;
    if (const auto* number = as<FloatLiteral>(plain)) return number->value == static_cast<double>(wanted);
    return isNumber(plain, wanted);
  }

  // Ids replaced by another number.
  class Ids : public Rewriter {
   public:
    Ids(const Summer& all, ExprPtr byNumber) : summer(all), number(std::move(byNumber)) {}
    ExprPtr rewrite(const ExprPtr& e) override {
      return e && summer.isPlainId(e) ? convert(number, e->type) : Rewriter::rewrite(e);
    }
    StmtList rewrite(const StmtPtr& s) override { return Rewriter::rewrite(s); }

   private:
    const Summer& summer;
    ExprPtr number;
  };

  // for (x = 0; x < threads; ++x) { …; sum += value; }
  void asLoopOverThreads(Kernel& copy) {
    const TypePtr type = sum->type;
    ExprPtr neutral;
    if (how.op == BinaryOp::Add || how.op == BinaryOp::BitOr || how.op == BinaryOp::BitXor)
      neutral = convert(zeroOf(type), type);
    else if (how.op == BinaryOp::Mul)
      neutral = type->isFloating() ? floatLit(1, type) : convert(intLit(1), type);
    else if (how.op == BinaryOp::BitAnd)
      neutral = convert(intLit(-1), type);
    if (!neutral) throw CannotSum{"the values of its threads have no neutral one to begin with", store->loc};
    const VarPtr round = makeLocal(names, "thread", int32());
    const VarPtr count = makeLocal(names, "threads", int32(), true);
    StmtList body = before;
    body.push_back(sameType(promoted(type), type)
                       ? makeStmt(Assign{ref(sum), how.op, value}, store->loc)
                       : assign(ref(sum), convert(binary(*how.op, ref(sum), value), type), store->loc));
    Ids ids(*this, ref(round));
    const StmtPtr inside = ids.rewriteBlock(block(body));
    for (CoordKind kind : {CoordKind::ThreadIdx, CoordKind::BlockIdx, CoordKind::GlobalId})
      if (usedAxes(inside, kind))
        throw CannotSum{"its threads are known by more than their place in the grid", kernel->loc};
    const auto threads = convert(
        times(coordOf(*kernel, CoordKind::GridDim, 0), coordOf(*kernel, CoordKind::BlockDim, 0)), int32());
    StmtList all{makeStmt(Declare{sum, neutral}), makeStmt(Declare{count, threads}),
                 makeStmt(For{{makeStmt(Declare{round, intLit(0)})},
                              binary(BinaryOp::Lt, ref(round), ref(count)),
                              {makeStmt(Assign{ref(round), BinaryOp::Add, intLit(1), true})},
                              inside},
                          tree->loc)};
    // What follows may use values of thread 0 from before.
    StmtPtr rest = block(after);
    for (auto s = before.rbegin(); s != before.rend(); ++s) {
      const auto* d = (*s)->as<Declare>();
      if (!d || !uses(rest, d->var.get())) continue;
      bool isPlain = d->init && !assigned.contains(d->var.get());
      if (isPlain)
        walkExprs(d->init, [&](const Expr& e) { isPlain = isPlain && !e.is<Subscript>() && !e.is<Call>(); });
      if (!isPlain)
        throw CannotSum{fmt::format("{} is used before and behind the halving steps", d->var->name),
                        (*s)->loc};
      rest = substituted(rest, {{d->var, d->init}});
    }
    rest = Ids(*this, intLit(0)).rewriteBlock(rest);
    all.insert(all.end(), as<Block>(rest)->stmts.begin(), as<Block>(rest)->stmts.end());
    copy.body = block(all, kernel->body->loc);
  }
  // An expression that is itself an id, not a variable that holds one.
  bool isPlainId(const ExprPtr& e) const { return (e->is<Binary>() || e->is<Coord>()) && isId(e); }

  // Any order of the values must give the same, or the user permits another one.
  void checkOrder(const KernelPtr& made) {
    const affine::KernelModel model = affine::buildModel(made, {1, 1, 1});
    std::string why = "no loop is left";
    for (size_t l = 0; l < model.loops.size(); ++l) {
      if (model.loops[l].parent >= 0) continue;
      const ReductionLoop loop = reductionLoop(model, static_cast<int>(l));
      why = loop.reason;
      for (const Accumulator& one : loop.sums) {
        if (one.var->name != sum->name || !isSameHow(one)) continue;
        if (one.isExact || context.reassociate) return;
        throw CannotSum{fmt::format("the order of the {} {} would change; pass --reassociate to permit it",
                                    str(one.how), array->name),
                        tree->loc};
      }
    }
    throw CannotSum{why.empty() ? "its threads sum up otherwise than its halving steps do" : why, tree->loc};
  }
  bool isSameHow(const Accumulator& one) const {
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
};

}  // namespace

PassResult sumInOneLoop(const PlanPtr& plan, const LaunchStep& launch, const KernelPtr& structuredKernel,
                        const PassContext& context) {
  const Kernel& original = *plan->original;
  try {
    Summer summer(plan, launch, structuredKernel, context);
    PassResult result{summer.run(), {}};
    result.remarks.push_back(
        {RemarkKind::Done, summer.where(), original.name,
         fmt::format("what its threads put together in {} step by step is one sum over all {}",
                     summer.arrayName(), summer.isWhole() ? "their rounds" : "threads")});
    return result;
  } catch (const CannotSum& no) {
    return Refusal{no.reason, no.loc};
  }
}

}  // namespace hone::passes
