#include "tune/WhyLeft.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "tune/Roof.h"

namespace hone::tune {

namespace {

constexpr double nearTheRoof = 0.75, notSlow = 0.5;
// Of the cost of all lines, from which on one of them is named.
constexpr double worthNaming = 0.3;

double secondsOf(const LaunchEstimate& launch, sim::Limiter limiter) {
  double seconds = 0;
  for (const sim::TimeTerm& term : launch.time.terms)
    if (term.limiter == limiter) seconds = std::max(seconds, term.seconds);
  return seconds;
}

std::string inMicroseconds(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.3g}", seconds * 1e6) : fmt::format("{:.0f}", seconds * 1e6);
}

}  // namespace

std::optional<RoofShare> roofShare(const PlanEstimate& estimate) {
  const LaunchEstimate* const launch = estimate.longest();
  if (!launch) return std::nullopt;
  const Roof roof = roofOf(*launch);
  if (!(roof.working > 0)) return std::nullopt;
  return RoofShare{roof.what(), roof.share()};
}

double mostGain(const PlanEstimate& estimate) {
  double least = 0;
  for (const LaunchEstimate& launch : estimate.launches) {
    PlanEstimate alone;
    alone.launches = {launch};
    const double start = secondsOf(launch, sim::Limiter::Launch);
    const std::optional<RoofShare> roof = roofShare(alone);
    least += start + (roof ? roof->share * (launch.time.seconds - start) : 0);
  }
  double now = 0;
  for (const LaunchEstimate& launch : estimate.launches) now += launch.time.seconds;
  return least > 0 ? now / least : std::numeric_limits<double>::infinity();
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
                               ? "how long one warp takes, with blocks too few to fill the GPU"
                           : term->limiter == sim::Limiter::Issue ? "issuing instructions"
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

// What the estimate says of the kernel as it is; empty: nothing.
std::string withBottleneck(const PlanEstimate& original, bool areContentsMadeUp) {
  const std::optional<RoofShare> roof = roofShare(original);
  if (!roof) return "";
  const LaunchEstimate& launch = *original.longest();
  if (launch.time.limiter == sim::Limiter::Launch)
    return fmt::format(
        "too short to be faster, {} of {} us are the launch itself{}; ",
        inMicroseconds(secondsOf(launch, sim::Limiter::Launch)), inMicroseconds(launch.time.seconds),
        areContentsMadeUp ? " (with contents of its arrays that are made up and decide what it does: "
                            "--input, or a capture with --data)"
                          : "");
  const bool isCertain = launch.time.limiter == sim::Limiter::Atomics ||
                         launch.time.limiter == sim::Limiter::SharedMemory ||
                         launch.time.limiter == sim::Limiter::BlockStart;
  if (!isCertain && launch.memory.localRequests > launch.memory.globalRequests())
    return fmt::format(
        "counted with arrays of a thread's own in memory, where compilers may have registers for them: {}; ",
        bottleneck(launch));
  const std::string share =
      fmt::format("at {:.0f} % of the speed that {}", roof->share * 100,
                  roof->roof == sim::Limiter::Dram ? "DRAM allows for the bytes that it uses"
                                                   : "its floating-point arithmetic allows");
  if (roof->share >= nearTheRoof) return fmt::format("good already, {}; ", share);
  if (roof->share >= notSlow) return fmt::format("{}; {}; ", share, bottleneck(launch));
  // Instructions that compute no floating-point numbers may be as necessary as those that do.
  if (launch.time.limiter == sim::Limiter::Issue)
    return fmt::format("bound by its instructions, and nothing that was tried makes them fewer: {}; ",
                       bottleneck(launch));
  return fmt::format("slow, and nothing that was tried helps: {}; ", bottleneck(launch));
}

}  // namespace

std::string whyNotTried(const PlanEstimate& original, double worthIt, bool areContentsMadeUp) {
  return withBottleneck(original, areContentsMadeUp) +
         fmt::format("nothing is estimated to make it faster by {:.0f} % or more", (worthIt - 1) * 100);
}

std::string whyLeft(const PlanEstimate& original, size_t variants, double worthIt, bool areContentsMadeUp) {
  if (original.doubtfulBytes > 0)
    return fmt::format(
        "its loops subscript {} bytes of a thread's own arrays and are so large that compilers may leave "
        "them whole, with these in memory: what that costs is not estimated, so that no variant with such "
        "loops is taken; hone tune measures them, #pragma unroll keeps the arrays in registers",
        original.doubtfulBytes);
  return withBottleneck(original, areContentsMadeUp) +
         (variants == 0 ? "no pass that was tried applies to it"
                        : fmt::format("of {} variant{} none is estimated to be faster by {:.0f} % or more",
                                      variants, variants == 1 ? "" : "s", (worthIt - 1) * 100));
}

}  // namespace hone::tune
