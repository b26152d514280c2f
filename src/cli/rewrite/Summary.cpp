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
  std::string text() const {
    std::string out =
        fmt::format("{} of {} kernel{} rewritten", rewritten ? fmt::format("{}", rewritten) : "none", kernels,
                    kernels == 1 ? "" : "s");
    const auto patched =
        std::count_if(launches.begin(), launches.end(), [](const auto& it) { return it.second; });
    if (!launches.empty())
      out += fmt::format(", {} of {} launch{} changed", patched, launches.size(),
                         launches.size() == 1 ? "" : "es");
    return out;
  }
};

}  // namespace

std::string summary(const std::vector<KernelOutcome>& outcomes, const DisplayNames& names, bool hintsAtMore) {
  std::map<std::string, Tally> byFile;
  Tally all;
  for (const KernelOutcome& outcome : outcomes) {
    byFile[names.of(outcome.file)].count(outcome);
    all.count(outcome);
  }
  if (outcomes.empty()) return "";
  const std::string hint = hintsAtMore && all.leavesSome() ? "; -v says more of those left as they are" : "";
  std::string out;
  for (const auto& [file, tally] : byFile)
    out += fmt::format("{}: {}{}\n", file, tally.text(), byFile.size() == 1 ? hint : "");
  // What the whole gains by Amdahl's law.
  double share = 0, left = 1;
  for (const KernelOutcome& outcome : outcomes)
    if (outcome.result && outcome.share && outcome.speedup && *outcome.speedup > 0) {
      share += *outcome.share;
      left -= *outcome.share * (1 - 1 / *outcome.speedup);
    }
  if (byFile.size() > 1) out += fmt::format("in {} files: {}{}\n", byFile.size(), all.text(), hint);
  if (share > 0 && left > 0)
    out += fmt::format(
        "by the capture, what was rewritten has {:.0f} % of the program's time on the device; all of it "
        "together is estimated to be {:.2g} times faster\n",
        100 * share, 1 / left);
  return out;
}

}  // namespace hone::cli
