// Control flow that all threads of a gang (or worker) follow together, and what no barrier has ordered yet on
// each of its ways: a loop may be skipped or left, a branch not taken, and the barriers in it with it.
#include <algorithm>

#include "acc/LowerBody.h"
#include "acc/SeededMistakes.h"
#include "ir/Build.h"

namespace hone::acc {

using namespace ir;

void BodyLowerer::Pending::join(const Pending& other) {
  ofBlock.join(other.ofBlock);
  ofWorker.join(other.ofWorker);
}

void BodyLowerer::structural(StmtList& out, const StmtPtr& s, Mode mode) {
  if (const LoopPlan* plan = work.notes.planOf(*s); plan && plan->isSpread()) return spread(out, s, mode);
  if (const Call* call = collectiveCall(s)) return collective(out, s, *call, mode);
  if (const auto* n = as<Block>(s)) {
    out.push_back(block(list(n->stmts, mode), s->loc));
  } else if (const auto* condition = as<If>(s)) {
    branch(out, s, *condition, mode);
  } else if (const auto* loop = as<For>(s)) {
    sequentialFor(out, s, *loop, mode);
  } else if (const auto* whileLoop = as<While>(s)) {
    sequentialLoop(out, s, *whileLoop, mode);
  } else if (const auto* doLoop = as<DoWhile>(s)) {
    sequentialLoop(out, s, *doLoop, mode);
  } else if (const auto* cases = as<Switch>(s)) {
    choice(out, s, *cases, mode);
  } else {
    jump(out, s, mode);
  }
}

void BodyLowerer::jump(StmtList& out, const StmtPtr& s, Mode mode) {
  if (const auto* n = as<Return>(s)) touch(out, mode, By::Many, touchesOf(n->value, memory()));
  const bool continues = s->is<Continue>();
  if (continues || s->is<Break>()) {
    auto target = std::find_if(targets.rbegin(), targets.rend(),
                               [&](const JumpTarget& one) { return one.isLoop || !continues; });
    if (target != targets.rend()) {
      if (continues) betweenIterations(out, target->again, mode);
      if (HONE_SEED(JumpsLeaveNothing, true, false)) target->left.join(pending);
    }
  }
  out.push_back(s);
}

void BodyLowerer::branch(StmtList& out, const StmtPtr& s, const If& n, Mode mode) {
  touch(out, mode, By::Many, touchesOf(n.cond, memory()));
  const Pending before = pending;
  StmtPtr then = inner(n.then, mode);
  const Pending afterThen = pending;
  pending = before;
  StmtPtr otherwise = n.otherwise ? inner(n.otherwise, mode) : nullptr;
  pending.join(afterThen);
  out.push_back(makeStmt(If{n.cond, then, otherwise}, s->loc));
}

// `again`: what is read between two iterations, behind all barriers of the first.
void BodyLowerer::betweenIterations(StmtList& out, const Touches& again, Mode mode) {
  barrierForBuffers(out, mode);
  touch(out, mode, By::Many, again);
}

// At the start of the body anything in the loop may have happened. Behind the loop is what was pending before
// it, for it may have no iterations, and what was at its jumps and at its end.
StmtList BodyLowerer::loopBody(const StmtPtr& body, const Touches& again, Mode mode) {
  const Touches all = touchesOf(body, memory());
  const Pending skipped = pending;
  hazards(mode).add(By::Many, all);
  hazards(mode).add(By::One, all);
  targets.push_back({true, again, noPending()});
  StmtList stmts = list(listOf(body), mode);
  betweenIterations(stmts, again, mode);
  hazards(mode).add(By::Many, all);
  hazards(mode).add(By::One, all);
  if (HONE_SEED(LoopsAreNeverSkipped, true, false)) pending.join(skipped);
  pending.join(targets.back().left);
  targets.pop_back();
  return stmts;
}

void BodyLowerer::sequentialFor(StmtList& out, const StmtPtr& s, const For& n, Mode mode) {
  for (const StmtList* head : {&n.init, &n.step})
    for (const StmtPtr& one : *head) {
      if (!hasEffect(one) || isAlone()) continue;
      const auto* assignment = as<Assign>(one);
      if (const auto* counter = assignment ? as<VarRef>(assignment->place) : nullptr)
        throw Refused{"the head of a loop around loops of threads counts with '" + counter->var->name +
                          "', whose value is wanted behind the region, so that the threads share it; declare "
                          "a counter in the head",
                      s->loc};
      throw Refused{"the head of a loop around loops of threads does more than count", s->loc};
    }
  Touches again = touchesOf(n.cond, memory());
  again.add(touchesOf(n.step, memory()));
  touch(out, mode, By::Many, touchesOf(n.init, memory()));
  touch(out, mode, By::Many, again);
  For made = n;
  made.body = block(loopBody(n.body, again, mode), n.body->loc);
  out.push_back(makeStmt(std::move(made), s->loc));
}

template <class Loop> void BodyLowerer::sequentialLoop(StmtList& out, const StmtPtr& s, const Loop& n,
                                                       Mode mode) {
  const Touches again = touchesOf(n.cond, memory());
  touch(out, mode, By::Many, again);
  Loop made = n;
  made.body = block(loopBody(n.body, again, mode), n.body->loc);
  out.push_back(makeStmt(std::move(made), s->loc));
}

void BodyLowerer::choice(StmtList& out, const StmtPtr& s, const Switch& n, Mode mode) {
  touch(out, mode, By::Many, touchesOf(n.value, memory()));
  const Pending before = pending;
  Switch made = n;
  targets.push_back({false, {}, noPending()});
  for (SwitchCase& one : made.cases) {
    // It may be fallen into.
    pending.join(before);
    one.body = list(one.body, mode);
  }
  // No case may be meant.
  pending.join(before);
  pending.join(targets.back().left);
  targets.pop_back();
  const Touches all = touchesOf(s, memory());
  hazards(mode).add(By::Many, all);
  hazards(mode).add(By::One, all);
  out.push_back(makeStmt(std::move(made), s->loc));
}

}  // namespace hone::acc
