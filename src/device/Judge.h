// The two questions asked of the embedded device: is this kernel clean, and do these two do the same?
#pragma once

#include "device/CompareRuns.h"
#include "device/Coverage.h"

namespace hone::device {

struct JudgeOptions {
  sim::RunOptions run;
  CompareOptions compare;
  sim::CompileOptions compile{.checkAssumptions = true};
  // Verify: of all runs together (RunResult::work); sizes that are left when it is spent are noted as not
  // run.
  uint64_t mostWorkInAll = UINT64_MAX;
  bool exactSizes = false;         // verify: only the sizes of the case
  bool givenGridIsLaunch = false;  // DataOptions
  // Check: a finding that is there with made-up contents alone is no finding where there is none with numbers
  // above zero.
  bool mayChooseData = false;
  bool assumeNoalias = false;                        // verify: no arrays that overlap are tried
  std::function<void(const std::string&)> progress;  // what is being run now
};

// A finding of the device, or one of our own: "mismatch", "unset-output".
struct JudgedFinding {
  std::string kind, cls;  // names in JSON
  sim::Finding finding;
  std::string sizes;        // "n=37", "" where there are none
  bool inOriginal = false;  // verify: the first kernel has it too
};

struct JudgedRun {
  std::map<std::string, int64_t> sizes;
  std::array<uint32_t, 3> grid{}, block{};
  std::optional<bool> equal;  // none: check, or not compared
  std::string skipped;        // verify: why it was not compared
  bool fellBack =
      false;  // verify: a condition of the second plan did not hold, so the original ran in its place
};

struct Judgement {
  std::string kernel;  // qualified name with template arguments
  std::vector<JudgedRun> runs;
  std::vector<JudgedFinding> findings;
  std::vector<std::string> notes;                   // what was guessed, and the like
  std::string guesses;                              // check: the options that would give what was guessed
  bool isOfCapture = false;                         // check: guesses are captured launches made smaller
  std::optional<LaunchGuess> guess = std::nullopt;  // check: in place of the usual, which has findings
  size_t guessesTried = 0;                          // check: others, none of them without findings
  double maxError = 0;
  bool equal = true;       // verify: nothing differs
  std::string uncompared;  // verify: why no run says anything; empty: results were compared
  // Verify: that may be meant. The sizes were given, or conditions of the second plan hold nowhere.
  bool mayBeMeant = false;
  std::vector<Unreached> unreached;            // verify: statements of the second that no run came to
  std::vector<Unreached> unreachedInFirst;     // the same of the first, where the second was not made of it
  std::vector<std::string> untouched;          // verify: arrays that no run touched
  unsigned heldAlways = 0;                     // verify: conditions before the launch that held in every run
  std::vector<OneSidedTest> oneSided;          // verify: tests before the launch that came out one way
  ir::Language language = ir::Language::Cuda;  // verify: that they are shown in
  bool passed() const { return equal && uncompared.empty() && errors() == 0; }
  bool ranFast() const;     // verify: conditions of the second plan held in one of the runs at least
  size_t errors() const;    // findings that count
  size_t warnings() const;  // same-value writes
};

// One run with all checks. Where sizes had to be guessed, several guesses are tried for one that reaches
// every array, and others where there are findings: at a launch that nobody has they say nothing.
Judgement check(const CaseMaker& maker, const ir::KernelPtr& kernel, const JudgeOptions& options,
                const CaseWish& wish = {});

// Both plans on the same inputs at several sizes. Parameters correspond by position. Where the second does
// several iterations of the loop around its launch the first is launched as often.
Judgement verify(const CaseMaker& maker, const ir::PlanPtr& original, const ir::PlanPtr& other,
                 const JudgeOptions& options);

// Throws hone::Error when the parameters of two kernels do not correspond.
void checkSameParameters(const ir::Kernel& a, const ir::Kernel& b);

std::string sizesText(const std::map<std::string, int64_t>& sizes);

}  // namespace hone::device
