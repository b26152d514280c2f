#include "tune/LargerGuess.h"

#include <algorithm>
#include <cmath>

#include "ir/Error.h"
#include "tune/WherePays.h"

namespace hone::tune {

namespace {

constexpr double moreThreads = 64;  // each time
constexpr int mostTimes = 3;
constexpr int64_t largestGuess = int64_t(1) << 26, mostBlocksAcross = 65535;
// In place of guesses with which nothing is done: of those that are hardly any, and of all.
constexpr int64_t inPlaceOfFew = 64, inPlaceOfAll = 128;

using Sizes = std::map<std::string, int64_t>;

bool isAllLaunch(const PlanEstimate& estimate) {
  return estimate.longest() && estimate.longest()->time.limiter == sim::Limiter::Launch;
}

class Growth {
 public:
  Growth(const device::CaseMaker& caseMaker, const ir::PlanPtr& plan, const target::Target& target)
      : maker(caseMaker), original(plan), machine(target) {}

  // Null: there is no estimate, or one of a launch that does nothing.
  std::unique_ptr<PlanEstimator> at(const Sizes& sizes) {
    try {
      auto made = std::make_unique<PlanEstimator>(maker, original, machine, sizes, PlanEstimator::Effort::Full);
      estimate = made->of(original);
      return estimate.isKnown() && !isIdle(estimate) ? std::move(made) : nullptr;
    } catch (const Error&) {
      return nullptr;  // no launch has these sizes
    }
  }

  PlanEstimate estimate;  // of the last

 private:
  const device::CaseMaker& maker;
  const ir::PlanPtr original;
  const target::Target& machine;
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

bool isIdle(const PlanEstimate& estimate) {
  return std::none_of(estimate.launches.begin(), estimate.launches.end(),
                      [](const LaunchEstimate& one) { return one.touches; });
}

std::unique_ptr<PlanEstimator> atLargerGuesses(const device::CaseMaker& maker, const ir::PlanPtr& original,
                                               const target::Target& target, PlanEstimator& usual) {
  if (maker.captured()) return nullptr;
  const ScaleEstimates scales(maker, original, target, usual);
  PlanEstimate now = usual.of(original);
  usual.release();
  if (!now.isKnown() || !scales.isBet() || (!isIdle(now) && !isAllLaunch(now))) return nullptr;
  Growth growth(maker, original, target);
  std::unique_ptr<PlanEstimator> best;
  Sizes sizes = scales.gridGuesses(), base;
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
  for (int times = 0; times < mostTimes && !sizes.empty() && (isIdle(now) || isAllLaunch(now)); ++times) {
    sizes = larger(sizes);
    for (const auto& [name, value] : sizes) base[name] = value;
    std::unique_ptr<PlanEstimator> next = growth.at(base);
    if (!next) continue;
    best = std::move(next), now = growth.estimate;
  }
  if (best) best->release();
  return best;
}

}  // namespace hone::tune
