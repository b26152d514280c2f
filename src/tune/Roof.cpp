#include "tune/Roof.h"

#include <algorithm>

#include "ir/Error.h"
#include "tune/CaseLengths.h"
#include "tune/ChooseRecipe.h"

namespace hone::tune {

namespace {

// Of the instructions that a choice has for one estimate.
constexpr double effortOfRoof = 0.25;

double longestOf(const LaunchEstimate& launch, sim::Limiter limiter) {
  double seconds = 0;
  for (const sim::TimeTerm& term : launch.time.terms)
    if (term.limiter == limiter) seconds = std::max(seconds, term.seconds);
  return seconds;
}

// Each array that is read once, and each that is written once; nothing where some length is not known.
std::optional<double> bytesOfArrays(const device::Case& c, analysis::Facts& facts) {
  const CaseLengths lengths = lengthsOf(c, facts);
  double bytes = 0;
  for (const device::ParameterLeaf& leaf : c.leaves) {
    if (!leaf.isArray() || c.aliases.contains(leaf.path)) continue;
    const auto used = c.facts->arrays.find(leaf.path);
    if (used == c.facts->arrays.end() || (!used->second.isRead && !used->second.isWritten)) continue;
    const auto length = lengths.elements.find(leaf.path);
    if (length == lengths.elements.end()) return std::nullopt;
    const auto each = static_cast<double>(std::max<uint64_t>(1, ir::sizeOf(*leaf.type->element)));
    bytes += static_cast<double>(length->second) * each *
             ((used->second.isRead ? 1 : 0) + (used->second.isWritten ? 1 : 0));
  }
  return bytes;
}

}  // namespace

double startSeconds(const LaunchEstimate& launch) { return longestOf(launch, sim::Limiter::Launch); }

Roof roofOf(const LaunchEstimate& launch) {
  Roof out;
  out.working = launch.time.seconds - startSeconds(launch);
  // Of sectors that are touched for a few of their bytes only that part is needed.
  const double used =
      launch.memory.sectors
          ? std::min(1.0, double(launch.memory.minimumSectors) / double(launch.memory.sectors))
          : 1;
  out.dramSeconds = used * longestOf(launch, sim::Limiter::Dram);
  // Addresses, conversions and the like can be rewritten: only arithmetic is what has to be done.
  out.arithmeticSeconds = launch.time.arithmeticSeconds;
  return out;
}

Roof roofOf(const LaunchEstimate& launch, const target::Target& target, double bytesOfArrays) {
  Roof out = roofOf(launch);
  // No more than threads ask for: they may touch a part of the arrays only.
  const double asked = 32.0 * static_cast<double>(launch.memory.minimumSectors);
  out.dramSeconds = std::min(bytesOfArrays, asked) / (target.reachedGBs * 1e9);
  return out;
}

KernelRoof roofOfKernel(const device::CaseMaker& maker, const ir::KernelPtr& kernel,
                        const target::Target& target, analysis::Facts& facts) {
  KernelRoof out;
  try {
    const ir::PlanPtr plan = ir::originalPlan(kernel);
    PlanEstimator estimator(maker, plan, target, effortOfRoof);
    const PlanEstimate estimate = estimator.of(plan);
    if (!estimate.isKnown() || !estimate.longest()) {
      out.problem = estimate.problem.empty() ? "it makes no launch" : estimate.problem;
      return out;
    }
    out.launch = *estimate.longest();
    if (!out.launch.touches) {
      out.problem = "the blocks that were looked at touch no global memory";
      return out;
    }
    const device::Case& c = estimator.usedCase();
    std::optional<double> most;
    if (std::equal(c.block.begin(), c.block.end(), facts.model().block.begin()))
      most = bytesOfArrays(c, facts);
    out.roof = most ? roofOf(out.launch, target, *most) : roofOf(out.launch);
    out.bytes = out.roof.dramSeconds * target.reachedGBs * 1e9;
    Choice sizes;
    sizes.setSizes(estimator);
    out.sizes = device::sizesText(c.sizes());
    out.whose = sizes.guessed.empty() && !sizes.guessedBlock ? "given" : sizes.whoseSizes();
    if (c.isCaptured) out.whose = "captured";
  } catch (const Error& error) {
    out.problem = error.what();
  }
  return out;
}

}  // namespace hone::tune
