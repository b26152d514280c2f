// A small kernel with what passes ask of its machine.
#pragma once

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "passes/recipe/ParseRecipe.h"
#include "passes/recipe/Pass.h"
#include "target/Target.h"

namespace hone::tune {

inline constexpr const char* blurText = R"(
  __global__ void blur(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i] + a[i + 1];
  })";

// In blocks of 128 threads on an H200.
class KernelOnTarget : public testing::Test {
 protected:
  explicit KernelOnTarget(const char* text = blurText)
      : targets(target::loadTargets(target::targetsFolder())),
        machine(target::findTarget(targets, "h200")),
        facts(machine),
        context{machine, facts},
        kernel(affine::kernelOf(text)) {
    context.block = {128, 1, 1};
  }

  std::vector<target::Target> targets;
  const target::Target& machine;
  analysis::FactsCache facts;
  passes::PassContext context;
  ir::KernelPtr kernel;
};

}  // namespace hone::tune
