// What threads have of sums put together: by shuffles, in shared memory, or both.
#pragma once

#include "passes/reduce/SplitIterations.h"

namespace hone::passes {

// `var op= part`, var being the sum or another of its kind.
ir::StmtPtr withPart(const Accumulator& sum, const ir::VarPtr& var, const ir::ExprPtr& part,
                     ir::SourceLoc loc);

// Partial sums of the lanes of a warp put together, by shuffles: every lane has the total.
ir::StmtList overWarp(const ReductionKernel& kernel, Names& names, const ir::ExprPtr& lanes);
// Several sums side by side in a block, each shared by threads of its own.
struct SharedRows {
  ir::ExprPtr count, row;  // how many, and which is this thread's; null: one
};
// Those of a block, in shared memory, whose arrays are added to `shared`. What gives a thread the total is
// added to `total`. With `ordersGlobal` what the threads read from global memory before is read before
// anything that follows is written.
ir::StmtList overBlock(const ReductionKernel& kernel, Names& names, const ir::ExprPtr& thread,
                       const ir::ExprPtr& threads, const SharedRows& rows, ir::StmtList& shared,
                       ir::StmtList& total, ir::Language language, bool ordersGlobal);
// The same by shuffles in each warp, of which one thread then adds up what each of them has; for whole warps
// of one sum.
ir::StmtList overWarps(const ReductionKernel& kernel, Names& names, const ir::ExprPtr& thread,
                       const ir::ExprPtr& threads, ir::StmtList& shared, ir::StmtList& total);

}  // namespace hone::passes
