#include "cli/rewrite/Summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

namespace hone::cli {

namespace {

struct Tally {
  size_t kernels = 0, rewritten = 0, changed = 0;
  std::map<std::string, bool> launches;  // by place: whether it was changed

  void count(const KernelOutcome& outcome) {
    ++kernels;
    if (!outcome.result) return;
    ++rewritten;
    // Instantiations share the launches that templates make of one text.
    for (const LaunchOutcome& launch : outcome.launches) {
      bool& isPatched = launches[fmt::format("{}:{}", launch.loc.str(), launch.loc.column)];
      isPatched = isPatched || launch.reason.empty();
    }
  }
  bool leavesSome() const { return rewritten < kernels; }
  RewriteCounts counts() const {
    const auto patched =
        std::count_if(launches.begin(), launches.end(), [](const auto& it) { return it.second; });
    return {kernels, rewritten, launches.size(), static_cast<size_t>(patched)};
  }
  std::string text() const { return counts().text(); }
};

}  // namespace

void RewriteCounts::add(const RewriteCounts& other) {
  kernels += other.kernels;
  rewritten += other.rewritten;
  launches += other.launches;
  changedLaunches += other.changedLaunches;
}

std::string RewriteCounts::text() const {
  std::string out =
      fmt::format("{} of {} kernel{} rewritten", rewritten ? fmt::format("{}", rewritten) : "none", kernels,
                  kernels == 1 ? "" : "s");
  if (launches > 0)
    out += fmt::format(", {} of {} launch{} changed", changedLaunches, launches, launches == 1 ? "" : "es");
  return out;
}

RewriteCounts countKernels(const std::vector<KernelOutcome>& outcomes) {
  Tally all;
  for (const KernelOutcome& outcome : outcomes) all.count(outcome);
  return all.counts();
}

std::string summary(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names, bool hintsAtMore,
                    bool isPartOfMore) {
  std::map<std::string, Tally> byFile;
  Tally all;
  for (const KernelOutcome& outcome : outcomes) {
    byFile[names.of(outcome.file)].count(outcome);
    all.count(outcome);
  }
  if (outcomes.empty()) return "";
  const std::string hint =
      hintsAtMore && !isPartOfMore && all.leavesSome() ? "; -v says more of those left as they are" : "";
  std::string out;
  for (const auto& [file, tally] : byFile)
    if (!isPartOfMore || tally.rewritten > 0)
      out += fmt::format("{}: {}{}\n", file, tally.text(), byFile.size() == 1 ? hint : "");
  // What the whole gains by Amdahl's law.
  struct Gain {
    double share = 0, left = 1;
    std::string of;
  };
  std::map<std::string, Gain> gains;  // by capture
  for (const KernelOutcome& outcome : outcomes)
    if (outcome.result && outcome.share && outcome.speedup && *outcome.speedup > 0) {
      Gain& gain = gains[outcome.share->capture];
      gain.share += outcome.share->part;
      gain.left -= outcome.share->part * (1 - 1 / *outcome.speedup);
      gain.of = outcome.share->of;
    }
  if (byFile.size() > 1 && !isPartOfMore)
    out += fmt::format("in {} files: {}{}\n", byFile.size(), all.text(), hint);
  for (const auto& [capture, gain] : gains)
    if (gain.share > 0 && gain.left > 0)
      out += fmt::format(
          "by {}, what was rewritten has {:.0f} % of the program's {}; all of it together is estimated to "
          "be {:.3g} times faster\n",
          gains.size() == 1 ? "the capture" : capture, 100 * gain.share, gain.of, 1 / gain.left);
  return out;
}

}  // namespace hone::cli
