// Which loop keep may take, what it keeps of it, and what is loaded before its iterations.
#pragma once

#include "affine/KernelModel.h"
#include "passes/recipe/Pass.h"
#include "passes/registers/PushedSum.h"

namespace hone::passes {

// What iterations read that no earlier one stores, loaded before the first of them.
struct LoadAhead {
  std::vector<affine::AccessId> reads;  // of one element in each iteration
  ir::ExprPtr place;  // that element, by the loop's variable and what is known before the loop
};

struct Forwarding {
  affine::LoopId loop;
  affine::AccessId write;
  std::vector<std::pair<affine::AccessId, affine::Poly>>
      reads;                          // and the iteration that stored what they read
  std::vector<affine::LoopId> inner;  // loops inside whose iterations s counts with, outermost first
  std::vector<LoadAhead> ahead;
  std::optional<PushedSum>
      push;  // the sum that later iterations begin with what was stored; nothing: the value itself is kept
  std::vector<std::string> late;  // why others are loaded in their iterations
  ir::ExprPtr condition;
  bool isTested = false;  // the number of iterations is part of the condition
};

struct ForwardRequest {
  affine::LoopId loop;
  affine::AccessId write;
  int64_t iterations = 32;
  bool loadsAhead = true;
  bool pushes = false;
};

// Nothing: the store is none that is read back in later iterations, and there is nothing to say about it.
Result<std::optional<Forwarding>> decideForwarding(const ir::LaunchStep& launch,
                                                   const affine::KernelModel& model,
                                                   const PassContext& context, const ForwardRequest& request);

}  // namespace hone::passes
