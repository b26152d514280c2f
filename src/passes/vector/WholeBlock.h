// Conditions in a loop of few iterations, asked once for all threads of a block: where the loop stands in
// another one of many iterations, a test that threads answer differently would cost each time.
#pragma once

#include "passes/vector/VectorGroups.h"

namespace hone::passes {

constexpr int64_t mostVectorIterations = 16;

class WholeBlock {
 public:
  // `number`: the group's loop. All outlive this.
  WholeBlock(const affine::KernelModel& kernelModel, const LoopGroup& loopGroup, affine::LoopId ofGroup)
      : model(kernelModel), group(loopGroup), number(ofGroup) {}

  // Whether the loop runs again and again in a loop of many iterations.
  bool isOften() const;
  // Conditions that are the same for all threads of a block and hold only where those around the accesses
  // hold for each of them, in all iterations; nothing where they cannot be written.
  std::optional<std::vector<ir::ExprPtr>> conditions() const;

 private:
  const affine::KernelModel& model;
  const LoopGroup& group;
  affine::LoopId number;

  // Iterations of a loop around this one where they are few and known, as of one that is unrolled.
  std::optional<int64_t> fewIterations(affine::LoopId at) const;
  // What holds where the loop stands.
  std::vector<affine::CondPtr> conditionsAround() const;
  // The least value of what goes one way from iteration to iteration.
  std::optional<affine::Poly> leastInIterations(const affine::Poly& p, affine::LoopId at,
                                                int64_t iterations) const;
  // No more than the polynomial is for any thread of the block that comes here.
  std::optional<affine::Poly> leastOfThreads(const affine::Poly& p,
                                             const std::vector<affine::CondPtr>& around) const;
};

}  // namespace hone::passes
