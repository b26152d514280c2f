#include "tune/WhyLeft.h"

#include <fmt/core.h>

#include <algorithm>

#include "device/Judge.h"
#include "tune/WherePays.h"

namespace hone::tune {

namespace {

constexpr double nearTheRoof = 0.6;

const LaunchEstimate* longestIn(const PlanEstimate& estimate) {
  const auto longest = std::max_element(
      estimate.launches.begin(), estimate.launches.end(),
      [](const LaunchEstimate& a, const LaunchEstimate& b) { return a.time.seconds < b.time.seconds; });
  return longest == estimate.launches.end() || !(longest->time.seconds > 0) ? nullptr : &*longest;
}

double secondsOf(const LaunchEstimate& launch, sim::Limiter limiter) {
  double seconds = 0;
  for (const sim::TimeTerm& term : launch.time.terms)
    if (term.limiter == limiter) seconds = std::max(seconds, term.seconds);
  return seconds;
}

std::string inMicroseconds(double seconds) { return fmt::format("{:.3g}", seconds * 1e6); }

}  // namespace

std::optional<RoofShare> roofShare(const PlanEstimate& estimate) {
  const LaunchEstimate* const launch = longestIn(estimate);
  if (!launch) return std::nullopt;
  // Of sectors that are touched for a few of their bytes only that part is needed.
  const double used =
      launch->memory.sectors
          ? std::min(1.0, double(launch->memory.minimumSectors) / double(launch->memory.sectors))
          : 1;
  const double dram = used * secondsOf(*launch, sim::Limiter::Dram);
  const double issue = secondsOf(*launch, sim::Limiter::Issue);
  return RoofShare{dram >= issue ? sim::Limiter::Dram : sim::Limiter::Issue,
                   std::min(1.0, std::max(dram, issue) / launch->time.seconds)};
}

std::string whyLeft(const PlanEstimate& original, const std::map<std::string, int64_t>& guessed,
                    size_t variants, double worthIt) {
  const std::string none = fmt::format(
      "of {} variant{} none is estimated to be faster by {:.0f} % or more{}", variants,
      variants == 1 ? "" : "s", (worthIt - 1) * 100,
      guessed.empty()
          ? ""
          : fmt::format(" (at the guessed {}; {})", device::sizesText(guessed), howToGive(guessed)));
  const std::optional<RoofShare> roof = roofShare(original);
  if (!roof) return none;
  if (roof->share >= nearTheRoof)
    return fmt::format("good already, at {:.0f} % of the speed that {}: {}", roof->share * 100,
                       roof->roof == sim::Limiter::Dram ? "DRAM allows for the bytes that it uses"
                                                        : "the instructions that it issues allow",
                       none);
  const LaunchEstimate& launch = *longestIn(original);
  const auto term =
      std::find_if(launch.time.terms.begin(), launch.time.terms.end(),
                   [&](const sim::TimeTerm& one) { return one.limiter == launch.time.limiter; });
  return fmt::format("slow, and no pass helps: the bottleneck is {}{}; {}", sim::str(launch.time.limiter),
                     term == launch.time.terms.end()
                         ? ""
                         : fmt::format(", {} of {} us ({})", inMicroseconds(term->seconds),
                                       inMicroseconds(launch.time.seconds), term->why),
                     none);
}

}  // namespace hone::tune
