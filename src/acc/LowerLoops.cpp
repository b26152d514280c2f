// Loops whose iterations are spread over gangs, workers and lanes.
#include "acc/LoopCount.h"
#include "acc/LowerBody.h"
#include "acc/SeededMistakes.h"
#include "acc/VariableUse.h"
#include "ir/Build.h"

namespace hone::acc {

using namespace ir;

namespace {

constexpr int64_t mostGangs = 65535, mostThreadsOfBlock = 1024;

ExprPtr of(CoordKind kind, unsigned axis, const TypePtr& type) { return convert(coord(kind, axis), type); }

}  // namespace

ExprPtr BodyLowerer::lane(const TypePtr& type) const {
  ExprPtr x = of(CoordKind::ThreadIdx, 0, type);
  if (!shape.hasWorkers) return x;
  return binary(BinaryOp::Add,
                binary(BinaryOp::Mul, of(CoordKind::ThreadIdx, 1, type), of(CoordKind::BlockDim, 0, type)),
                x);
}

// 32 bits are computed as the coordinates are, unsigned; wider counters from the start in their own type.
BodyLowerer::Spread BodyLowerer::spreadOf(const LoopPlan& plan, Mode mode, const TypePtr& wanted) const {
  const TypePtr type = wanted->bits > 32 ? wanted : uint32();
  auto product = [&](ExprPtr a, ExprPtr b) { return binary(BinaryOp::Mul, std::move(a), std::move(b)); };
  auto sum = [&](ExprPtr a, ExprPtr b) { return binary(BinaryOp::Add, std::move(a), std::move(b)); };
  const auto thread = [&](unsigned axis) { return of(CoordKind::ThreadIdx, axis, type); };
  const auto block = [&](unsigned axis) { return of(CoordKind::BlockIdx, axis, type); };
  const auto threads = [&](unsigned axis) { return of(CoordKind::BlockDim, axis, type); };
  const auto blocks = [&](unsigned axis) { return of(CoordKind::GridDim, axis, type); };
  if (plan.axis >= 0) {
    const auto axis = static_cast<unsigned>(plan.axis);
    return {sum(product(block(axis), threads(axis)), thread(axis)), nullptr, mostThreadsOfBlock};
  }
  const unsigned dim = plan.gangDim;
  const bool withLanes = plan.inner == Inner::Lanes && !isAlone(),
             allOfBlock = withLanes && mode == Mode::Block;
  if (plan.inner == Inner::Worker) {
    if (!plan.gang) return {thread(1), threads(1), mostThreadsOfBlock};
    return {sum(product(block(dim), threads(1)), thread(1)), product(blocks(dim), threads(1)),
            mostGangs * mostThreadsOfBlock};
  }
  if (!plan.gang) {
    if (!withLanes) return {intLit(0, type), intLit(1, type), 1};
    if (!allOfBlock || !shape.hasWorkers) return {thread(0), threads(0), mostThreadsOfBlock};
    return {sum(product(thread(1), threads(0)), thread(0)), product(threads(0), threads(1)),
            mostThreadsOfBlock};
  }
  if (!withLanes) return {block(dim), blocks(dim), mostGangs};
  if (!shape.hasWorkers)
    return {sum(product(block(dim), threads(0)), thread(0)),
            HONE_SEED(StrideOfOneGang, product(threads(0), blocks(dim)), threads(0)),
            mostGangs * mostThreadsOfBlock};
  return {sum(product(sum(product(block(dim), threads(1)), thread(1)), threads(0)), thread(0)),
          product(product(threads(0), threads(1)), blocks(dim)), mostGangs * mostThreadsOfBlock};
}

// Whether a counter of 32 bits may itself be stepped through a thread's iterations: it stays in its type
// where the host sees to it that there are not too many, or where the end says so.
bool BodyLowerer::mayBePlain(const LoopPlan& plan, const LoopCount& count, int64_t mostStride) {
  if (!count.isPlain()) return false;
  if (count.isWide()) return true;
  const int64_t step = *constantValue(count.step), begin = *constantValue(count.begin);
  const int64_t room = INT32_MAX - begin - mostStride * step - step;
  if (room <= 0) return false;
  if (auto end = constantValue(count.end)) return *end <= room;
  if (plan.axis >= 0 && begin == 0 && step == 1) return true;  // whole blocks end at the end of the type
  if (plan.trips < 0 || plan.tripsCount > 1) return false;
  limits.push_back({plan.trips, room / step});
  return true;
}

// An expression that is worked out again in each iteration keeps its value by a name where the loop's body
// might change it or it takes a load.
ExprPtr BodyLowerer::settled(StmtList& out, const ExprPtr& e, const StmtPtr& body, const std::string& name) {
  const std::set<const Variable*> assigned = assignedVariables(body);
  bool isPlainValue = true;
  walkExprs(e, [&](const Expr& node) {
    if (const auto* var = node.as<VarRef>())
      isPlainValue &= !assigned.contains(var->var.get()) && !isMemory(*var->var);
    isPlainValue &= !node.is<Call>() && !node.is<Subscript>();
  });
  if (isPlainValue) return e;
  VarPtr var = work.names.local(name, e->type, true);
  out.push_back(makeStmt(Declare{var, e}, e->loc.valid() ? e->loc : work.loc));
  return ref(var);
}

void BodyLowerer::iterations(StmtList& out, const StmtPtr& s, const LoopPlan& plan, const StmtList& body,
                             Mode mode) {
  const auto& loop = *as<For>(s);
  std::string why;
  auto count = loopCount(loop, &why);
  if (!count) throw Refused{why, s->loc};
  const SourceLoc loc = s->loc;
  auto convertTo = [](const ExprPtr& e, const TypePtr& type) { return convert(e, type); };
  const Spread plainSpread = spreadOf(plan, mode, count->type());
  const bool inChunks = plan.gang && plan.asked.gangStatic && !plan.asked.gangStaticIsStar;
  if (!inChunks && mayBePlain(plan, *count, plainSpread.mostStride)) {
    const TypePtr& type = count->type();
    const ExprPtr end = settled(out, count->end, loop.body, "end");
    const auto by = [&](const ExprPtr& e) { return times(e, intLit(*constantValue(count->step), e->type)); };
    ExprPtr first = by(plainSpread.first);
    first = convertTo(plus(first, intLit(*constantValue(count->begin), first->type)), type);
    const ExprPtr condition = HONE_SEED(
        GuardLeftOut, binary(count->compare, ref(count->var), end, loop.cond->loc),
        plan.axis >= 0 ? boolLit(true) : binary(count->compare, ref(count->var), end, loop.cond->loc));
    if (!plainSpread.stride) {
      out.push_back(makeStmt(Declare{count->var, first}, loc));
      out.push_back(makeStmt(If{condition, block(body, loc), nullptr}, loc));
      return;
    }
    For made;
    made.init = {makeStmt(Declare{count->var, first}, loc)};
    made.cond = condition;
    ExprPtr step = by(plainSpread.stride);
    // C adds in the wider of the two types and takes that back.
    const ExprPtr sum = convert(step, usualArithmetic(type, step->type));
    made.step = {makeStmt(Assign{ref(count->var), BinaryOp::Add, sum}, loc)};
    made.body = block(body, loc);
    made.unroll = loop.unroll;
    out.push_back(makeStmt(std::move(made), loc));
    return;
  }
  // The iterations are counted from 0, in 64 bits, and the counter's value comes from that.
  const ExprPtr trips = tripsOf(*count);
  const TypePtr& type = trips->type;
  const ExprPtr begin = settled(out, count->begin, loop.body, "begin");
  VarPtr all = work.names.local("trips", type, true), number = work.names.local("trip", type);
  out.push_back(makeStmt(Declare{all, trips}, loc));
  const Spread spread = spreadOf(plan, mode, type);
  if (inChunks) return chunks(out, s, plan, body, mode, *count, begin, all);
  StmtList inside = {makeStmt(Declare{count->var, counterIn(*count, begin, ref(number))}, loc)};
  inside.insert(inside.end(), body.begin(), body.end());
  const ExprPtr condition = binary(BinaryOp::Lt, ref(number), ref(all), loc);
  if (!spread.stride) {
    out.push_back(makeStmt(Declare{number, convertTo(spread.first, type)}, loc));
    out.push_back(makeStmt(If{condition, block(std::move(inside), loc), nullptr}, loc));
    return;
  }
  For made;
  made.init = {makeStmt(Declare{number, convertTo(spread.first, type)}, loc)};
  made.cond = condition;
  made.step = {makeStmt(Assign{ref(number), BinaryOp::Add, convertTo(spread.stride, type)}, loc)};
  made.body = block(std::move(inside), loc);
  made.unroll = loop.unroll;
  out.push_back(makeStmt(std::move(made), loc));
}

// gang(static:n): n iterations in a row to each gang in turn.
void BodyLowerer::chunks(StmtList& out, const StmtPtr& s, const LoopPlan& plan, const StmtList& body,
                         Mode mode, const LoopCount& count, const ExprPtr& begin, const VarPtr& all) {
  const TypePtr& type = all->type;
  const SourceLoc loc = s->loc;
  VarPtr size = work.names.local("chunk", type, true), start = work.names.local("chunk_begin", type),
         number = work.names.local("trip", type);
  out.push_back(makeStmt(Declare{size, convert(plan.asked.gangStatic, type)}, loc));
  LoopPlan withinGang = plan, gangs = plan;
  withinGang.gang = false;
  gangs.inner = Inner::None;
  const Spread inner = spreadOf(withinGang, mode, type), outer = spreadOf(gangs, mode, type);
  StmtList inside = {makeStmt(Declare{count.var, counterIn(count, begin, ref(number))}, loc)};
  inside.insert(inside.end(), body.begin(), body.end());
  For one;
  one.init = {makeStmt(Declare{number, plus(ref(start), convert(inner.first, type))}, loc)};
  one.cond = andAlso(binary(BinaryOp::Lt, ref(number), plus(ref(start), ref(size))),
                     binary(BinaryOp::Lt, ref(number), ref(all)));
  one.step = {makeStmt(Assign{ref(number), BinaryOp::Add, convert(inner.stride, type)}, loc)};
  one.body = block(std::move(inside), loc);
  For made;
  made.init = {makeStmt(Declare{start, times(convert(outer.first, type), ref(size))}, loc)};
  made.cond = binary(BinaryOp::Lt, ref(start), ref(all));
  made.step = {
      makeStmt(Assign{ref(start), BinaryOp::Add, times(convert(outer.stride, type), ref(size))}, loc)};
  made.body = block({makeStmt(std::move(one), loc)}, loc);
  out.push_back(makeStmt(std::move(made), loc));
}

// Along the next axis, or what one thread does.
StmtList BodyLowerer::ofAxis(const StmtPtr& body, Mode mode) {
  StmtList out;
  for (const StmtPtr& s : listOf(body)) {
    const LoopPlan* plan = work.notes.planOf(*s);
    if (plan && plan->axis >= 0) {
      spread(out, s, mode);
    } else if (s->is<Block>() && isStructural(s)) {
      for (StmtPtr& one : ofAxis(s, mode)) out.push_back(std::move(one));
    } else {
      for (StmtPtr& one : plain(s)) out.push_back(std::move(one));
    }
  }
  return out;
}

void BodyLowerer::spread(StmtList& out, const StmtPtr& s, Mode mode) {
  const LoopPlan plan = *work.notes.planOf(*s);
  const auto& loop = *as<For>(s);
  const Mode inside = modeInside(plan, mode);
  const bool outerGang = insideGang;
  // What the loop's head reads is read by all.
  Touches head = touchesOf(loop.cond, memory());
  for (const StmtList* part : {&loop.init, &loop.step}) head.add(touchesOf(*part, memory()));
  head.add(touchesOf(plan.asked.gangStatic, memory()));
  touch(out, mode, By::Many, head);
  startReductions(out, plan);
  insideGang |= plan.gang;
  if (plan.axis >= 0) {
    iterations(out, s, plan, ofAxis(loop.body, mode), mode);
  } else if (inside == mode) {
    StmtList body = isAlone() ? list(listOf(loop.body), mode) : loopBody(loop.body, head, mode);
    iterations(out, s, plan, body, mode);
  } else {
    touch(out, mode, By::Many, touchesOf(loop.body, memory()));
    if (inside == Mode::Worker) {
      StmtList body = loopBody(loop.body, head, Mode::Worker);
      iterations(out, s, plan, body, mode);
    } else {
      iterations(out, s, plan, plain(listOf(loop.body)), mode);
    }
  }
  insideGang = outerGang;
  finishReductions(out, plan, mode);
}

}  // namespace hone::acc
