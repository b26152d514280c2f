// Finds the recipe for one kernel: proposals level by level, the best few of each kept by estimated time, the
// winner verified.
#pragma once

#include "device/Judge.h"
#include "tune/ExtendVariant.h"
#include "tune/WherePays.h"

namespace hone::tune {

struct ChooseOptions {
  unsigned beam = 3;            // variants that go on to the next level
  unsigned shapes = 8;          // the same while shapes are looked for
  unsigned mostEstimates = 56;  // of a kernel
  // What the estimates of a search may take (sim::RunResult::work): ten seconds or so.
  double mostWork = 60e6;
  // The same for one run of the original in checks and verification, and for all runs of a verification.
  uint64_t mostWorkOfRun = 32'000'000, mostWorkOfVerification = 60'000'000;
  double worthIt = 1.05;      // estimated speed-up below which the kernel stays as it is
  double worthItAlone = 1.5;  // the same for what compilers may do by themselves, and nothing else
  // The same where sizes are guessed and the kernel hands values on in shared memory from iteration to
  // iteration: such kernels are tuned by hand, and estimates of them are off by as much.
  double worthItTuned = 1.25;
  // What each line of new text must bring, 5 % being no trade for 88 lines; who gains enough does not count.
  double gainOfLine = 0.001, worthAnyLines = 1.3;
  // The same for large blocks that fit only if compilers take as few registers as is estimated.
  double worthItIfFewRegisters = 1.5625;
  // The same where estimates were seen to be off by as much: with less to do than a captured launch has, for
  // threads merged where contents that were made up decide what each does, and for blocks merged whose number
  // the program chose.
  double worthItUnsure = 1.5;
  // Of the instructions that estimates, and of the work that searches and comparisons may take: builds have
  // less time.
  double share = 1;
  bool verify = true;
  bool trustSizes = false;  // choices for sizes that were guessed are taken for every size
  bool reassociate = false;
  device::JudgeOptions judge;
  std::function<void(const std::string&)> progress;  // what is being done now
};

struct Choice {
  Variant original;
  std::vector<Variant> ranked;                  // every other variant with an estimate, fastest first
  int chosen = -1;                              // into ranked; -1: the kernel stays as it is
  std::string reason;                           // why it stays as it is
  bool isUncompared = false;                    // that is that verification said nothing about what is faster
  std::vector<device::JudgedFinding> findings;  // of the original, where those are the reason
  std::optional<device::Judgement> verification;  // of the chosen one
  std::vector<std::string> rejected;              // recipes that gave a wrong result, with what differed
  std::vector<Refused> refused;
  bool isCutShort = false;  // not all was tried: the time for runs came near its end
  size_t leftOut = 0;       // variants for which estimates of this kernel took too many instructions
  std::map<std::string, int64_t> sizes;                 // that the estimates are for
  std::map<std::string, int64_t> inPlaceOfGiven;        // of them, smaller than the user said
  std::map<std::string, int64_t> guessed;               // of them, what nobody said and no launch shows
  std::optional<std::array<uint32_t, 3>> guessedBlock;  // nobody said and no launch shows
  bool isCaptured = false;                              // the estimates are for a launch of a capture
  bool isSmaller = false;                               // or for one with less to do
  bool isRead = false;                                  // or for one that the host's text has, among others
  bool isAlwaysShort = false;                           // with the largest arrays, too, it is all launch
  std::optional<WherePays> pays;                        // of the chosen one, where sizes were guessed
  void setSizes(const PlanEstimator& estimator);        // what estimates are for, and what of it is not known
  std::string guessesText() const;                      // "n=4096, block 256"; empty: nothing was guessed
  std::string howToGiveGuesses() const;
  const char* whoseSizes() const;  // "captured", "read off one of its launches", "guessed" and the like
  const Variant* best() const { return chosen < 0 ? nullptr : &ranked[chosen]; }
  double speedup() const;         // estimated; 1 where nothing is chosen
  double speedupOverall() const;  // the same over all captured launches, where there are several
};

Choice chooseRecipe(const device::CaseMaker& maker, const ir::PlanPtr& original, passes::PassContext& context,
                    const ChooseOptions& options);

}  // namespace hone::tune
