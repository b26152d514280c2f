#include "passes/shared/StageStrips.h"

#include "ir/Build.h"
#include "ir/StmtsOf.h"
#include "ir/Substitute.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

// No loops but those that disappear.
bool hasOnlyUnrolled(const StmtPtr& body) {
  bool only = true;
  walkStmts(body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    only = only && !s.is<While>() && !s.is<DoWhile>() && (!loop || loop->unroll == -1);
  });
  return only;
}

// The iterations of a strip, counted from 0: the distance from the strip's start is the counter, and the
// loop's own variable what is named besides.
For countedFromZero(For iterations, const Strip& strip, const VarPtr& own) {
  class Distances : public Rewriter {
   public:
    Distances(const Strip& of, const VarPtr& var) : strip(of), own(var) {}

   protected:
    ExprPtr mapExpr(const ExprPtr& e) override {
      const auto* op = e->as<Binary>();
      const auto *from = op ? as<VarRef>(op->lhs) : nullptr, *start = op ? as<VarRef>(op->rhs) : nullptr;
      const bool isDistance =
          from && start && op->op == BinaryOp::Sub && from->var == own && start->var == strip.start;
      return isDistance ? ref(strip.iteration) : e;
    }

   private:
    const Strip& strip;
    const VarPtr& own;
  };
  iterations.body = Distances(strip, own).rewriteBlock(iterations.body);
  if (mentions(iterations.body, own.get())) {
    StmtList body = {makeStmt(Declare{own, binary(BinaryOp::Add, ref(strip.start), ref(strip.iteration))},
                              iterations.init.front()->loc)};
    for (const StmtPtr& s : stmtsOf(iterations.body)) body.push_back(s);
    iterations.body = block(std::move(body), iterations.body->loc);
  }
  return *as<For>(countingLoop({.var = strip.iteration,
                                .end = named(strip.depth, strip.depthRole, strip.start->type),
                                .body = iterations.body,
                                .unroll = iterations.unroll},
                               iterations.init.front()->loc));
}

}  // namespace

StmtPtr tileBarrier(Language language) {
  return makeStmt(Barrier{SyncScope::Block, nullptr, true, language == Language::Cuda});
}

StmtList makeStrips(const StmtPtr& stmt, const Strip& strip, bool isUsedAfter, std::set<const Stmt*>& forAll,
                    std::set<const Stmt*>& inner) {
  const For& loop = *as<For>(stmt);
  const Counted count = *counted(loop);
  const int64_t step = *constantValue(count.step);
  ExprPtr start = ref(strip.start);
  StmtList body = strip.loads;
  const StmtPtr filled = tileBarrier(strip.language), done = tileBarrier(strip.language);
  for (const StmtPtr& s : body) forAll.insert(s.get());
  body.push_back(HONE_SEED(StageDroppedBarrier, filled, makeStmt(Comment{""})));
  StmtList out;
  if (!strip.comment.empty()) out.push_back(makeStmt(Comment{strip.comment, {strip.depthRole}}));

  ExprPtr width = named(strip.depth, strip.depthRole, strip.start->type);
  if (step != 1) width = binary(BinaryOp::Mul, width, intLit(step, strip.start->type));
  For iterations = loop;
  iterations.init = {count.declares ? makeStmt(Declare{count.var, start}, loop.init.front()->loc)
                                    : assign(ref(count.var), start, loop.init.front()->loc)};
  const bool isUp = count.op == BinaryOp::Add;
  ExprPtr ends = isUp ? binary(BinaryOp::Lt, ref(count.var), binary(BinaryOp::Add, start, width))
                      : binary(BinaryOp::Gt, ref(count.var), binary(BinaryOp::Sub, start, width));
  // Strips that fill the loop need no second bound.
  const auto first = constantValue(count.begin), last = constantValue(count.end);
  const bool isWhole = first && last && (count.compare == BinaryOp::Lt || count.compare == BinaryOp::Gt) &&
                       (*last - *first) % (strip.depth * step) == 0;
  const bool isDepthKnown = isWhole || strip.mayAddZeros;
  iterations.cond = HONE_SEED(StageWrongRemainder, isDepthKnown ? ends : andAlso(ends, loop.cond), ends);
  // Reads of the tile for the next iteration then come under the arithmetic of this one; compilers do not do
  // it unasked where an iteration is long.
  if (isDepthKnown && !iterations.unroll && strip.depth <= 32 && hasOnlyUnrolled(iterations.body)) {
    iterations.unroll = -1;
    // nvcc, for which CUDA is printed, counts iterations from an unknown start on; those that compile OpenCL
    // do not.
    if (!first && strip.language != Language::Cuda && count.declares && step == 1 && isUp &&
        !containsBarrier(iterations.body))
      iterations = countedFromZero(iterations, strip, count.var);
  }
  const StmtPtr iterationsStmt = makeStmt(iterations, stmt->loc);
  inner.insert(iterationsStmt.get());
  body.push_back(iterationsStmt);
  body.push_back(HONE_SEED(StageDroppedSecondBarrier, done, makeStmt(Comment{""})));

  For strips;
  strips.init = {makeStmt(Declare{strip.start, count.begin})};
  strips.cond = substituted(loop.cond, {{count.var, start}});
  // i != end ends the iterations; strips may step over it.
  if (const auto* compare = as<Binary>(strips.cond); compare && compare->op == BinaryOp::Ne) {
    const bool isLeft = rootVariable(withoutCasts(compare->lhs)) == strip.start;
    strips.cond = binary(isUp == isLeft ? BinaryOp::Lt : BinaryOp::Gt, compare->lhs, compare->rhs);
  }
  strips.step = {makeStmt(Assign{start, isUp ? BinaryOp::Add : BinaryOp::Sub, width})};
  strips.body = block(std::move(body));
  // A variable that lives on has its first value where the loop has no iteration.
  if (!count.declares && isUsedAfter) out.push_back(loop.init.front());
  out.push_back(makeStmt(std::move(strips), stmt->loc));
  return out;
}

}  // namespace hone::passes
