#include "tune/LargerGuess.h"

#include <algorithm>
#include <cmath>

#include "ir/Error.h"
#include "tune/CaseLengths.h"
#include "tune/WherePays.h"

namespace hone::tune {

namespace {

constexpr double moreThreads = 8;  // each time
constexpr int mostTimes = 6;
// Of all arrays; and of a size where lengths of arrays are not known from it.
constexpr uint64_t mostElements = uint64_t(1) << 30;
constexpr int64_t largestUnknown = 1 << 22;
constexpr int64_t largestGuess = int64_t(1) << 26, mostBlocksAcross = 65535;
// In place of guesses with which nothing is done: of those that are hardly any, and of all.
constexpr int64_t inPlaceOfFew = 64, inPlaceOfAll = 128;

using Sizes = std::map<std::string, int64_t>;

bool isAllLaunch(const PlanEstimate& estimate) {
  return estimate.longest() && estimate.longest()->time.limiter == sim::Limiter::Launch;
}

int64_t largestOf(const Sizes& sizes) {
  int64_t largest = 0;
  for (const auto& [name, value] : sizes) largest = std::max(largest, value);
  return largest;
}

class Growth {
 public:
  Growth(const device::CaseMaker& caseMaker, const ir::PlanPtr& plan, const target::Target& target,
         analysis::FactsCache& cache, double shareOfWork)
      : maker(caseMaker), original(plan), machine(target), facts(cache), share(shareOfWork) {}

  // Null: there is no estimate, or one of a launch that does nothing, or of arrays that no GPU holds.
  std::unique_ptr<PlanEstimator> at(const Sizes& sizes) {
    isTooLarge = false;
    try {
      auto made = std::make_unique<PlanEstimator>(maker, original, machine, sizes, share);
      const device::Case& c = made->usedCase();
      const CaseLengths lengths = lengthsOf(c, facts.of(original->original, c.block));
      uint64_t elements = 0;
      for (const auto& [name, length] : lengths.elements) elements += length;
      isTooLarge = elements > mostElements;
      if (isTooLarge || (!lengths.problem.empty() && largestOf(sizes) > largestUnknown)) return nullptr;
      estimate = made->of(original);
      return estimate.isKnown() && !isIdle(estimate) ? std::move(made) : nullptr;
    } catch (const Error&) {
      return nullptr;  // no launch has these sizes
    }
  }

  PlanEstimate estimate;    // of the last
  bool isTooLarge = false;  // the last, for the memory of GPUs

 private:
  const device::CaseMaker& maker;
  const ir::PlanPtr original;
  const target::Target& machine;
  analysis::FactsCache& facts;
  const double share;  // as of PlanEstimator
};

Sizes larger(const Sizes& sizes) {
  const double by = std::max(2.0, std::pow(moreThreads, 1.0 / double(sizes.size())));
  Sizes out = sizes;
  for (auto& [name, value] : out) {
    const std::optional<unsigned> axis = device::axisOfBlocks(name);
    const int64_t most = axis && *axis > 0 ? mostBlocksAcross : largestGuess;
    value = std::max(value, std::min<int64_t>(most, std::llround(by * double(value))));
  }
  return out;
}

}  // namespace

std::unique_ptr<PlanEstimator> atSmallerGuesses(const device::CaseMaker& maker, const ir::PlanPtr& original,
                                                const target::Target& target, analysis::FactsCache& facts,
                                                const PlanEstimator& usual) {
  constexpr int64_t smallest = 64, by = 4;
  const auto isBeyond = [&](const device::Case& c) {
    return isBeyondGpus(lengthsOf(c, facts.of(original->original, c.block)), c);
  };
  if (maker.captured() || !isBeyond(usual.usedCase())) return nullptr;
  device::CaseWish wish = usual.usedWish();
  const ScaleEstimates scales(maker, original, target, facts, usual);
  Sizes sizes = scales.guesses();
  for (bool isSmaller = !sizes.empty(); isSmaller;) {
    isSmaller = false;
    for (auto& [name, value] : sizes)
      if (value > smallest) value = std::max(smallest, value / by), isSmaller = true;
    for (const auto& [name, value] : sizes) wish.sizes[name] = value;
    try {
      if (isSmaller && !isBeyond(maker.make(wish)))
        return std::make_unique<PlanEstimator>(maker, original, target, wish.sizes, usual.shareOfWork());
    } catch (const Error&) {
      return nullptr;  // no launch has these sizes
    }
  }
  return nullptr;
}

bool isIdle(const PlanEstimate& estimate) {
  return std::none_of(estimate.launches.begin(), estimate.launches.end(),
                      [](const LaunchEstimate& one) { return one.touches; });
}

LargerGuess atLargerGuesses(const device::CaseMaker& maker, const ir::PlanPtr& original,
                            const target::Target& target, analysis::FactsCache& facts, PlanEstimator& usual) {
  LargerGuess out;
  if (maker.captured()) return out;
  const ScaleEstimates scales(maker, original, target, facts, usual);
  PlanEstimate now = usual.of(original);
  usual.release();
  if (!now.isKnown() || !scales.isBet() || (!isIdle(now) && !isAllLaunch(now))) return out;
  // What the text of a launch says is what there is.
  const Sizes told = scales.guesses();
  const device::Case& c = usual.usedCase();
  if (std::all_of(told.begin(), told.end(), [&](const auto& one) {
        return c.isRead(one.first) && !usual.usedWish().sizes.contains(one.first);
      }))
    return out;
  Growth growth(maker, original, target, facts, usual.shareOfWork());
  std::unique_ptr<PlanEstimator> best;
  Sizes sizes = scales.gridGuesses(), base;
  // Where no size changes the grid, iterations of loops are all that there can be more of.
  const bool isGrid = !sizes.empty();
  if (!isGrid) sizes = scales.guesses();
  if (isIdle(now)) {
    Sizes few = usual.usedCase().guessedSizes();
    few.merge(scales.guesses());
    Sizes all = few;
    for (auto& [name, value] : few)
      if (value <= 2) value = inPlaceOfFew;
    for (auto& [name, value] : all) value = inPlaceOfAll;
    for (const Sizes& other : {few, all})
      if (!best && (best = growth.at(other))) {
        now = growth.estimate;
        for (auto& [name, value] : sizes) value = other.at(name);
        base = other;
      }
  }
  bool isLargest = false;
  for (int times = 0; times < mostTimes && !sizes.empty() && (isIdle(now) || isAllLaunch(now)); ++times) {
    sizes = larger(sizes);
    for (const auto& [name, value] : sizes) base[name] = value;
    std::unique_ptr<PlanEstimator> next = growth.at(base);
    isLargest = !next && growth.isTooLarge;
    if (!next && !isIdle(now)) break;
    if (!next) continue;
    best = std::move(next), now = growth.estimate;
  }
  out.isAlwaysShort = isGrid && isLargest && isAllLaunch(now) && scales.gridGuesses() == scales.guesses();
  if (!best || isIdle(now) || isAllLaunch(now)) return out;
  best->release();
  out.estimator = std::move(best);
  return out;
}

}  // namespace hone::tune
