// A sum of each iteration over what all earlier ones stored may be turned round: the sums of all iterations
// begin before the first, and what an iteration stores is added to those of later iterations at once. Each
// sum takes the same values in the same order, so it stays the same bit for bit.
#pragma once

#include "affine/KernelModel.h"
#include "ir/Substitute.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

struct PushedSum {
  ir::VarPtr sum;
  ir::StmtPtr start;       // declares the sum, or assigns to it
  ir::ExprPtr begin;       // what it begins with, by the loop's variable and what is known before the loop
  ir::StmtPtr loop;        // over the earlier iterations
  ir::ExprPtr from;        // where that loop begins to count, likewise
  ir::Substitution known;  // other variables of an iteration, likewise
};

// `loop` of the model, whose iterations store what `reads` read back in later ones, `inner` counting the
// earlier iterations.
struct PushRequest {
  affine::LoopId loop;
  std::vector<std::pair<affine::AccessId, affine::Poly>>
      reads;  // and the iteration that stored what they read
  std::vector<affine::LoopId> inner;
};

// Refuses where it cannot be turned round. Whether memory that the sum reads stays as it is is
// for the caller to find out: all that it reads is in `begin` and in `loop`.
Result<PushedSum> findPushedSum(const affine::KernelModel& model, const PushRequest& request);

}  // namespace hone::passes
