// How long a plan would take on a target: a sample of its blocks run on the embedded device, the counts
// turned into time by the model.
#pragma once

#include "device/CaseMemory.h"
#include "sim/count/Profile.h"
#include "sim/model/TimeModel.h"
#include "tune/CostliestLine.h"
#include "tune/SizesToRank.h"

namespace hone::tune {

// One launch of a plan; of a loop of launches the first, with how often it is made.
struct LaunchEstimate {
  std::string kernel;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  unsigned registers = 0;  // of a thread, estimated
  uint64_t sharedBytes = 0;
  target::Occupancy occupancy;
  sim::MemoryCount memory;  // of the whole grid
  uint64_t barriers = 0;
  bool touches = false;     // the blocks that were looked at touch global memory
  CostliestLine costliest;  // of the original
  sim::TimeEstimate time;
};

struct PlanEstimate {
  std::vector<LaunchEstimate> launches;
  unsigned iterations = 1;  // of the loop around the launch that the plan does (Plan::iterations)
  double seconds = 0;  // of all launches, for one iteration; iterations of the loop that are too few for the
                       // plan are launched alone
  bool fellBack = false;  // conditions of the plan do not hold at these sizes
  bool missesMeant =
      false;            // the same at those that were given, captured or asked for, where these are smaller
  std::string problem;  // why there is no estimate: it does not fit the target, the device cannot run it
  // Of a thread's arrays that may be in memory, where estimates have them in registers (arraysInRegisters).
  uint64_t doubtfulBytes = 0;
  bool isKnown() const { return problem.empty(); }
  const LaunchEstimate* longest() const;  // null: there are none
};

class PlanEstimator {
 public:
  // Arrays are set up once; runs share them. Throws hone::Error when the kernel cannot be run at all.
  // `share`: of the instructions that an estimate usually takes.
  PlanEstimator(const device::CaseMaker& maker, const ir::PlanPtr& original, const target::Target& target,
                double share = 1);
  // At other values of the sizes that were guessed, or in another turn of the host's loops, with less effort.
  PlanEstimator(const device::CaseMaker& maker, const ir::PlanPtr& original, const target::Target& target,
                const std::map<std::string, int64_t>& sizes,
                device::HostText::Turn turn = device::HostText::Turn::First);
  // At other values in place of the usual guesses.
  PlanEstimator(const device::CaseMaker& maker, const ir::PlanPtr& original, const target::Target& target,
                const std::map<std::string, int64_t>& sizes, double share);

  // At the same sizes, with arrays of its own.
  PlanEstimator(const PlanEstimator& other);

  PlanEstimate of(const ir::PlanPtr& plan);
  // The same, were its threads to get as many times the registers that are estimated.
  PlanEstimate withRegisters(const ir::PlanPtr& plan, unsigned times);
  // Gives back the memory of the arrays until the next estimate.
  void release();

  // What estimates have taken so far (RunResult::work); the same on every machine.
  double spent() const { return workSpent; }
  double shareOfWork() const { return effort; }

  const device::Case& usedCase() const { return c; }
  const device::CaseWish& usedWish() const { return wish; }
  // Sizes in place of those that the user gave, with which a thread would run for too long.
  const std::map<std::string, int64_t>& inPlaceOfGiven() const { return shortened; }
  // Whether loops have as many iterations as the user, or a launch in sight, says.
  bool hasGivenLoops() const { return isGiven; }
  // Whether conditions of the plan do not hold in this case of the same kernel; nothing is run.
  bool fallsBackAt(const ir::PlanPtr& plan, const device::Case& at) const;
  // Whether a size that bounds loops also decides which threads have work.
  bool boundsThreads(const device::CaseMaker& maker, const std::string& name) const;

 private:
  const target::Target& machine;
  const ir::PlanPtr original;
  std::optional<PlanEstimate> ofOriginal;  // once it is asked for
  std::unique_ptr<PlanEstimator> firstIteration;
  device::Case c;
  device::CaseData data;
  std::map<std::string, int64_t> shortened;
  std::set<std::string> asked;        // sizes of the constructor's that are looked at for their own sake
  std::optional<device::Case> meant;  // with sizes that nobody guessed, where these were shortened
  bool isGiven = false;
  device::CaseWish wish;
  double effort = 1;  // of the instructions that an estimate may take
  unsigned registerTimes = 1;
  bool isChangedInPlace = false;  // some array, by the kernel that reads it
  double workSpent = 0;
  std::unique_ptr<device::CaseMemory> memory;

  void findCase(const device::CaseMaker& maker);
  void setUp();  // arrays for the case
  // `whole`: what was wished for before loops were made shorter.
  void findMeant(const device::CaseMaker& maker, const device::CaseWish& whole);
  // The same case with another value of one of its numbers.
  PlanEstimator(const PlanEstimator& other, const std::string& name, int64_t value);
  // Where the loop around the launch begins with another counter than the case has; null: it does not, or
  // nobody knows.
  PlanEstimator* atFirstIteration();
  PlanEstimate estimated(const ir::PlanPtr& plan);
  // One call of the plan, whose kernels are as compilers leave them; `ofLoop` becomes the iterations of the
  // loop around it, 0: not known. Only the original may need more registers than a thread can have.
  PlanEstimate ofCall(const ir::PlanPtr& plan, device::Programs& programs, uint64_t& ofLoop,
                      bool isOriginal = false);
  double ofOneIteration(const ir::PlanPtr& plan, device::Programs& programs, const PlanEstimate& call,
                        uint64_t ofLoop);
};

}  // namespace hone::tune
