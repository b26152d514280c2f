// The pieces of a kernel around a reduction loop, and the loop with its iterations dealt out to several
// threads.
#pragma once

#include "ir/Plan.h"
#include "passes/edit/Names.h"
#include "passes/reduce/ReductionLoop.h"

namespace hone::passes {

bool isNumber(const ir::ExprPtr& e, int64_t value);

// A kernel whose last work is a reduction loop and what follows it: nothing but ifs around.
struct ReductionKernel {
  ReductionLoop loop;
  ir::ExprPtr iterations;       // null: the loop counts from a number upwards and may keep its own variable
  ir::ExprPtr iterationsLimit;  // on the host: with it no variable of the loop can pass the end of its type;
                                // null: always
  ir::StmtList before, after;   // of the block that the loop stands in
};
// A step known at run time is as a rule the number of threads: from `longestStep` on there are enough of
// them. Refuses a loop that cannot be split.
Result<ReductionKernel> reductionKernel(const ir::LaunchStep& launch, const affine::KernelModel& model,
                                        affine::LoopId loop, int64_t ways, int64_t longestStep);
// The loop alone, whatever stands around it; one whose step is known at run time only is refused.
Result<ReductionKernel> countedLoop(const ir::LaunchStep& launch, const affine::KernelModel& model,
                                    const ReductionLoop& loop, int64_t ways);

// The kernel with sums that begin at their neutral values in every thread; what other sums held before the
// loop is added behind it, once, so that nobody waits for it.
struct AddedSums {
  ReductionKernel kernel;
  ir::StmtList declared, joined;  // before the loop; behind the total
  bool isSetEverywhere = true;    // whether sums hold a value in threads that do not come to the loop too
};
AddedSums addedSums(const ReductionKernel& kernel, Names& names);

// Iteration r of the loop is done by the thread whose number is r modulo `ways`; where `each` is a number and
// not null, r / each is taken for r, so that a thread does so many iterations side by side.
ir::StmtList dealtOut(const ReductionKernel& kernel, Names& names, const ir::ExprPtr& thread,
                      const ir::ExprPtr& ways, const ir::ExprPtr& each = nullptr);

}  // namespace hone::passes
