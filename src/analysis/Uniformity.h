// Over how many threads a value, a branch or the iterations of a loop are the same, and what they differ
// with.
#pragma once

#include "analysis/PerThread.h"

namespace hone::analysis {

enum class UniformOver : uint8_t { Thread, Warp, Block, Grid };
const char* str(UniformOver scope);  // "thread", "warp", "block", "grid"

// What is said holds among threads in the same iteration of all loops around: at least so far it is the same.
// It may happen to be the same further, unless `differs`.
struct Uniformity {
  UniformOver over = UniformOver::Thread;
  bool differs = false;  // threads of the next wider scope certainly have different values
  std::string why;  // what it differs with there: "threadIdx.x", "blockIdx.y", "idx[i]: loaded index"; empty
                    // over the grid
  bool isOver(UniformOver scope) const { return over >= scope; }
};
Uniformity uniformityOf(PerThread& perThread, const affine::Poly& value);
Uniformity uniformityOf(PerThread& perThread, const affine::CondPtr& cond);
template <class Value>
Uniformity uniformityOf(const affine::KernelModel& model, const Value& value) {
  PerThread perThread(model);
  return uniformityOf(perThread, value);
}

// In the order of the model's accesses, branches and loops.
struct KernelUniformity {
  affine::ById<affine::AccessId, Uniformity> addresses;
  affine::ById<affine::AccessId, Uniformity>
      executions;  // of the accesses: whether threads of a scope do it together
  std::vector<Uniformity> branches;
  affine::ById<affine::LoopId, Uniformity> loops;  // how many iterations
  std::vector<Uniformity> barriers;                // whether threads of a scope reach it together
};
KernelUniformity uniformity(PerThread& perThread);
inline KernelUniformity uniformity(const affine::KernelModel& model) {
  PerThread perThread(model);
  return uniformity(perThread);
}

}  // namespace hone::analysis
