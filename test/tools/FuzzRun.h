// Whether a plan does what the original does, at the launches of a naive kernel, with all checks of the
// embedded device.
#pragma once

#include <optional>

#include "NaiveKernels.h"
#include "device/CompareRuns.h"

namespace hone::test {

struct FuzzOptions {
  bool reassociate = false;       // data are whole numbers then, so that sums are exact in any order
  std::string alias;              // "a=c+3"; empty: no arrays overlap
  std::set<std::string> ignored;  // arrays that need not hold the same afterwards
  uint64_t schedule = 0;          // seed of the order in which warps of the result run; 0: the fixed one
};

struct FuzzDifference {
  std::map<std::string, int64_t> sizes;
  std::string text;
};

class FuzzRun {
 public:
  // Throws hone::Error when the device cannot run the kernel.
  FuzzRun(const NaiveKernel& naive, ir::KernelPtr kernel, const target::Target& target, FuzzOptions options);

  // What differs first; nothing: the plan is right.
  std::optional<FuzzDifference> compare(const ir::PlanPtr& plan);

  // Launches at which the original itself does wrong, with what it does: these are left out.
  const std::vector<std::string>& faults() const { return faultsOfOriginal; }
  size_t launches() const { return cases.size(); }
  size_t fastRuns() const { return fast; }  // of compare(): the first choice of the plan was taken
  size_t allRuns() const { return all; }

 private:
  struct OneCase {
    device::Case c;
    device::CaseData data;
    device::CaseRun first;
  };
  void addCase(const device::CaseMaker& maker, const std::map<std::string, int64_t>& sizes);
  std::string differenceAt(const OneCase& one, const device::CaseRun& second) const;

  ir::PlanPtr original;
  FuzzOptions options;
  sim::RunOptions run;
  device::Programs programs;
  std::vector<OneCase> cases;
  std::vector<std::string> faultsOfOriginal;
  size_t fast = 0, all = 0;
};

}  // namespace hone::test
