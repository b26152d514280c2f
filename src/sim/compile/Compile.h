// Kernels to byte code.
#pragma once

#include <functional>

#include "ir/Plan.h"
#include "sim/bytecode/Program.h"

namespace hone::sim {

struct CompileOptions {
  bool contract = false;  // a * b + c in one rounding
  // What __builtin_assume says is an error where it does not hold. It costs instructions that no compiler
  // makes, so counts are taken without.
  bool checkAssumptions = false;
  // Told of each instruction that loads or stores, with the place in the kernel, or the call, that it is made
  // for.
  std::function<void(uint32_t pc, const ir::Expr& origin)> onMemory = {};
};
// Throws hone::Error with place and reason when the embedded device cannot run the kernel.
Program compile(const ir::Kernel& kernel, const CompileOptions& options = {});

}  // namespace hone::sim
