#include "tune/WhyLeft.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "device/Judge.h"
#include "tune/WherePays.h"

namespace hone::tune {

namespace {

constexpr double nearTheRoof = 0.75, notSlow = 0.5;
// Of the cost of all lines, from which on one of them is named.
constexpr double worthNaming = 0.3;

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
  const double working = launch->time.seconds - secondsOf(*launch, sim::Limiter::Launch);
  if (!(working > 0)) return std::nullopt;
  // Of sectors that are touched for a few of their bytes only that part is needed.
  const double used =
      launch->memory.sectors
          ? std::min(1.0, double(launch->memory.minimumSectors) / double(launch->memory.sectors))
          : 1;
  const double dram = used * secondsOf(*launch, sim::Limiter::Dram);
  // Addresses, conversions and the like can be rewritten: only arithmetic is what has to be done.
  double arithmetic = 0;
  for (const sim::TimeTerm& term : launch->time.terms)
    if (term.isArithmetic) arithmetic = std::max(arithmetic, term.seconds);
  return RoofShare{dram >= arithmetic ? sim::Limiter::Dram : sim::Limiter::Issue,
                   std::min(1.0, std::max(dram, arithmetic) / working)};
}

namespace {

std::string bottleneck(const LaunchEstimate& launch) {
  const auto term =
      std::find_if(launch.time.terms.begin(), launch.time.terms.end(),
                   [&](const sim::TimeTerm& one) { return one.limiter == launch.time.limiter; });
  if (term == launch.time.terms.end())
    return fmt::format("the bottleneck is {}", sim::str(launch.time.limiter));
  // More blocks would help only if there were more to do.
  const char* const what = term->limiter == sim::Limiter::TooFewBlocks
                               ? "how long one warp takes, with few blocks beside it"
                               : sim::str(term->limiter);
  const std::string where =
      launch.costliest.line && launch.costliest.share >= worthNaming
          ? fmt::format(", {:.0f} % of it at {}:{}", launch.costliest.share * 100,
                        std::filesystem::path(launch.costliest.file).filename().string(),
                        launch.costliest.line)
          : "";
  return fmt::format("the bottleneck is {}, {} of {} us ({}{})", what, inMicroseconds(term->seconds),
                     inMicroseconds(launch.time.seconds), term->why, where);
}

}  // namespace

std::string whyLeft(const PlanEstimate& original, const std::map<std::string, int64_t>& guessed,
                    size_t variants, double worthIt) {
  const std::string at = guessed.empty() ? ""
                                         : fmt::format(" (at the guessed {}; {})", device::sizesText(guessed),
                                                       howToGive(guessed));
  const std::string none =
      (variants == 0 ? "no pass applies to it"
                     : fmt::format("of {} variant{} none is estimated to be faster by {:.0f} % or more",
                                   variants, variants == 1 ? "" : "s", (worthIt - 1) * 100)) +
      at;
  const std::optional<RoofShare> roof = roofShare(original);
  if (!roof) return none;
  const LaunchEstimate& launch = *longestIn(original);
  if (launch.time.limiter == sim::Limiter::Launch)
    return fmt::format("too short to be faster: {} of {} us are the launch itself; {}",
                       inMicroseconds(secondsOf(launch, sim::Limiter::Launch)),
                       inMicroseconds(launch.time.seconds), none);
  const std::string share =
      fmt::format("at {:.0f} % of the speed that {}", roof->share * 100,
                  roof->roof == sim::Limiter::Dram ? "DRAM allows for the bytes that it uses"
                                                   : "its floating-point arithmetic allows");
  if (roof->share >= nearTheRoof) return fmt::format("good already, {}: {}", share, none);
  if (roof->share >= notSlow) return fmt::format("{}; {}; {}", share, bottleneck(launch), none);
  return fmt::format("slow, and no pass helps: {}; {}", bottleneck(launch), none);
}

}  // namespace hone::tune
