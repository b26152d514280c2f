// What the runs of a verification reached of a plan: instructions of its kernels, sides of its conditions.
#pragma once

#include "device/RunPlan.h"

namespace hone::device {

// Statements that no run came to, from one place of the source on.
struct Unreached {
  std::string file;
  unsigned line = 0;
  bool stores = false;  // one of them writes to memory
};

// A test before the launch, of those that && joins, that came out the same in every run.
struct OneSidedTest {
  ir::ExprPtr test;
  bool held = false;
  bool asked = true;  // false: no run came to it
};

class Coverage {
 public:
  // Of the kernels that the plan launches in place of `original`, or of all where it launches no other.
  Coverage(const ir::Plan& plan, const ir::KernelPtr& original, Programs& programs);

  // For one run; what it reaches counts once `take` was called, and is forgotten with the next `begin`.
  LaunchHooks begin();
  // Whether the run reached more than all before.
  bool take(const PlanResult& run);

  bool launched() const { return isFast(reached); }  // a kernel of the branches where all conditions hold
  bool launchesNow() const { return isFast(now); }   // the same of the run that began last
  uint32_t mostBlocks(unsigned axis) const { return blocks[axis]; }  // of a launch of these, along an axis
  bool stored() const;                       // an instruction of these that writes to memory was executed
  std::vector<Unreached> unreached() const;  // in order of the source
  // Choices of the plan of which one side was never taken: conditions that always held, and that never did.
  unsigned alwaysHeld() const { return oneSided(2); }
  unsigned neverHeld() const { return oneSided(1); }
  std::vector<OneSidedTest> oneSidedTests() const;  // in order of the plan

 private:
  using Bits = std::map<const sim::Program*, std::vector<uint8_t>>;  // by instruction
  unsigned oneSided(unsigned sides) const;
  bool isFast(const Bits& bits) const;

  std::set<const sim::Program*> changed, fast;
  std::map<const ir::Expr*, unsigned> sides;      // by condition: 1 it did not hold, 2 it held
  std::map<const ir::Expr*, unsigned> testSides;  // the same by test
  std::vector<ir::ExprPtr> tests;
  Bits reached, now;
  std::array<uint32_t, 3> blocks{}, blocksNow{};
};

}  // namespace hone::device
