// What the model of a launch's kernel knows as polynomials, as expressions that the host can work out before
// the launch: over the original's parameters and geometry.
#pragma once

#include <set>

#include "affine/KernelModel.h"
#include "ir/Plan.h"
#include "ir/Substitute.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// Whether what a model says of one block shape can be asked of the launch whatever its block is: the kernel
// knows global ids alone, and values over the grid count the blocks of the model's shape that cover the
// launch.
bool mayHaveAnyBlock(const ir::LaunchStep& launch);

// A polynomial of symbols (parameters of the kernel, gridDim) in 64-bit arithmetic; null when it is made of
// anything the host does not have.
ir::ExprPtr hostValue(const ir::LaunchStep& launch, const affine::KernelModel& model,
                      const affine::Poly& value);
ir::ExprPtr hostCondition(const ir::LaunchStep& launch, const affine::KernelModel& model,
                          const affine::CondPtr& cond);

// A condition under which a requirement holds for every thread, block and iteration of the launch; null when
// none can be written. `true` when it holds anyway.
ir::ExprPtr hostRequirement(const ir::LaunchStep& launch, const affine::KernelModel& model,
                            const affine::Requirement& requirement);

// The counter of a loop's last iteration, where that is no more than a number; nothing where it is not known.
std::optional<int64_t> lastIteration(const affine::Atoms& atoms, const affine::Loop& loop);

// Whether a pass leaves integers of the kernel as they are, or writes those of 32 bits with a sign
// (affine::indexType), where they must not outgrow it.
enum class WrittenAs : uint8_t { InKernel, Signed };

// What is tested before a launch so that requirements of its model hold in it; null: they hold anyway.
// Refuses where one of them cannot be made sure of.
Result<ir::ExprPtr> testsFor(const ir::LaunchStep& launch, const affine::KernelModel& model,
                             const std::set<unsigned>& requirements,
                             WrittenAs integers = WrittenAs::InKernel);

// The integer that a symbol of the model stands for, in its own type; null when the host does not have it.
ir::ExprPtr hostSymbol(const ir::LaunchStep& launch, const affine::KernelModel& model,
                       const affine::Atom& symbol);

// The pointer that an array's bytes count from, over the original's parameters; null when the host does not
// have it.
ir::ExprPtr hostPointer(const ir::LaunchStep& launch, const affine::KernelModel& model,
                        affine::ArrayId array);

// An expression of the launched kernel as the host works it out.
struct OnHost {
  ir::ExprPtr value;   // null: it cannot, because of
  ir::VarPtr unknown;  // this variable; null: because of the thread's own ids, of memory or of a call
};
// Over the original's parameters and launch: arguments in place of parameters, the geometry of the launch in
// place of the kernel's, and of a variable that is never changed what it is declared as. `known` says what
// other variables of the kernel are in the plan.
OnHost onHost(const ir::LaunchStep& launch, const ir::ExprPtr& e, const ir::Substitution& known = {});

}  // namespace hone::passes
