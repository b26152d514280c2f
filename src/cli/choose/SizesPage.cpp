// What the page of a tuning run over several sizes shows: the table of sizes, and the rest for the size that
// takes longest of those that gained.
#include <algorithm>

#include "cli/choose/TuneEvidence.h"
#include "cli/choose/TuneSizes.h"

namespace hone::cli {

void SizesTuner::gather(tune::SizedKernel& sized, const report::SizesReport& about,
                        const worker::Ceilings& ceilings) {
  report::TuneReport page;
  page.kernel = about.kernel;
  page.place = about.place;
  page.device = about.device;
  page.isModelled = isEmbedded();
  page.reason = about.reason;
  page.rejected = about.rejected;
  page.ceilings = ceilings;
  page.sizeRows = about.rows;
  page.classes = about.classes;
  size_t shown = 0;
  auto rank = [&](size_t i) { return std::pair(about.rows[i].variant != 0, about.rows[i].original); };
  for (size_t i = 1; i < about.rows.size(); ++i)
    if (rank(i) > rank(shown)) shown = i;
  const std::vector<tune::Measurement>& measured = sized.measured[shown];
  page.sizes = about.rows.empty() ? "" : about.rows[shown].sizes;
  page.outcome.original = measured.front();
  for (size_t v = 1; v < measured.size(); ++v) {
    if (!sized.isMeasured[shown][v]) continue;
    if (about.reason.empty() && v == about.rows[shown].variant)
      page.chosen = static_cast<int>(page.outcome.tried.size());
    page.outcome.tried.push_back({sized.variants[v], measured[v]});
  }
  page.outcome.stopped = std::to_string(about.variants) + " variants at every size";
  gatherEvidence(*sized.at[shown], page);
  findCeilings(sized.context.target, team.get(), store.get(), page);
  gathered.push_back(std::move(page));
}

}  // namespace hone::cli
