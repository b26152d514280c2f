// The steps of a plan for one launch of the original, with every expression worked out: what is left for
// whoever runs it is buffers of so many bytes, and launches with numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "ir/Plan.h"

namespace hone::device {

// One launch of the original kernel, as the plan's expressions see it.
struct PlanLaunch {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t dynamicShared = 0;
  bool cooperative = false;
  // One per parameter of the original, in the bytes of its type; addresses for pointers, a size in bytes for
  // __local ones.
  std::vector<std::vector<uint8_t>> arguments;
};

// A launch of the plan.
struct ConcreteLaunch {
  ir::KernelPtr kernel;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t dynamicShared = 0;
  bool cooperative = false;
  std::vector<std::vector<uint8_t>> arguments;  // of `kernel`, at least the bytes of their types
};

class PlanSteps {
 public:
  virtual ~PlanSteps() = default;
  // Returns the address that expressions of the plan see.
  virtual uint64_t makeBuffer(const ir::Variable& buffer, uint64_t bytes, uint64_t elementBytes) = 0;
  // False: the plan ends here.
  virtual bool launch(const ConcreteLaunch& launch) = 0;
};

struct PlanWalk {
  std::vector<std::pair<const ir::Expr*, bool>> choices;  // conditions in the order met, and what they gave
  std::vector<std::pair<const ir::Expr*, bool>> tests;    // the same for each part that && joins in them
  bool completed = true;                                  // false: a launch asked to end
  bool fellBack = false;    // a condition of the plan did not hold, so the other branch was taken
  unsigned iterations = 1;  // of the loop around the launch that were done (Plan::iterations)
  uint64_t ofLoop = 0;      // iterations that the loop has in all, for a plan that does several; 0: not known
};

// Throws hone::Error for an expression of the plan that has no value on the host, and for sizes that no
// launch can have.
PlanWalk walkPlan(const ir::Plan& plan, const PlanLaunch& launch, PlanSteps& steps);

}  // namespace hone::device
