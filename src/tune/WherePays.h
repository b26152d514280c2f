// A choice made for sizes that nobody gave is a bet. Estimates at other sizes say where it pays; elsewhere
// the original runs.
#pragma once

#include "affine/KernelModel.h"
#include "tune/EstimatePlan.h"
#include "tune/PayingRegion.h"
#include "tune/Variant.h"

namespace hone::tune {

// What a variant is estimated to bring at sizes that launches may have.
struct WherePays {
  enum class Verdict : uint8_t { Everywhere, Somewhere, Nowhere } verdict = Verdict::Everywhere;
  std::vector<SizeBound> bounds = {};  // Somewhere: all of these hold
  std::string text() const;            // the same in words: "w * h > 65536"
  bool isComplete = true;              // every size that was wanted could be estimated
  size_t sizes = 0;                    // how many were looked at
  double leastGain = 1;                // by which estimates may be off
  double overall = 0;                  // gain over all captured launches; 0: there are none
  std::string worst = {};  // Nowhere and Somewhere: where it loses most, "0.31 times as fast at n=4"
};

// How users tell these guesses: "give sizes with --set".
std::string howToGive(const std::map<std::string, int64_t>& guessed);

class ScaleEstimates {
 public:
  // Sizes around those that `atBase`, which outlives this, estimates at. Nothing is estimated yet.
  ScaleEstimates(const device::CaseMaker& maker, const ir::PlanPtr& original, const target::Target& target,
                 analysis::FactsCache& facts, const PlanEstimator& atBase);

  // Whether some of the sizes that decide were guessed.
  bool isBet() const { return !guessed.empty(); }
  // Those, with the values that stand for them.
  std::map<std::string, int64_t> guesses() const { return guessed; }
  std::map<std::string, int64_t> gridGuesses() const;  // of them, what decides how many threads there are

  // No instructions are left for further sizes.
  bool isSpent() const;

  // `before` and `after` are the estimates at the base sizes.
  WherePays of(const Variant& variant, double before, double after);

 private:
  struct Scale {
    std::unique_ptr<PlanEstimator> estimator;
    std::map<std::string, int64_t> sizes;
    double original = 0;  // seconds
  };
  void setUp();
  void addSeen(const std::vector<device::CapturedCase>& launches);
  // Which of `scales` has these sizes; estimated now where none does. None: there is no estimate.
  std::optional<size_t> scaleAt(const std::map<std::string, int64_t>& sizes);

  bool fallsBackAt(const ir::PlanPtr& plan, const std::map<std::string, int64_t>& sizes) const;
  bool canBeLaunched(const std::map<std::string, int64_t>& sizes) const;

  const device::CaseMaker& maker;
  const ir::PlanPtr original;
  const target::Target& machine;
  analysis::FactsCache& facts;
  const device::CaseWish wish;  // of the base
  const PlanEstimator& base;
  const double mostWork;   // of all estimates
  const double leastLeft;  // of the seconds for runs: verification comes after it
  // Over the launches of a capture, each as long as it took: what is bounded out or was not estimated gains
  // nothing.
  double overallGain(const Variant& variant, const std::vector<SizeBound>& bounds, double gainAtBase);

  // A captured launch by the sizes that decide, and its part of the kernel's time.
  struct Seen {
    std::map<std::string, int64_t> sizes;
    double part = 0;
  };
  std::map<std::string, int64_t> guessed;
  std::vector<Seen> seen;        // the costliest first
  double threads = 1;            // of the base
  std::set<std::string> ofGrid;  // of the guesses
  std::vector<Scale> scales;
  size_t usualScales = 0;  // the first of them; then those next to bounds
  bool isSetUp = false, areComplete = true;
  bool isAtCaptured = false;  // the base is a captured launch
};

// The plan where this holds of the original's parameters; null where that cannot be asked.
ir::PlanPtr wherePays(const ir::PlanPtr& plan, const std::vector<SizeBound>& bounds);

// A loop that runs as often as memory says, so that no size of a launch tells how long a thread works; where
// it begins, null: there is none. Contents that are known tell it of loops that count up to them.
const ir::SourceLoc* loopByData(const affine::KernelModel& model, bool areContentsKnown = false);

}  // namespace hone::tune
