#include "report/SizesReport.h"

#include <fmt/core.h>

#include "report/Table.h"

namespace hone::report {

std::string toText(const SizesReport& report) {
  std::string out = fmt::format("{}: {}", report.place, report.kernel);
  if (report.rows.empty()) return out + fmt::format(" stays as it is: {}\n", report.reason);
  out += fmt::format(" on {} at {} sizes\n", report.device.name, report.rows.size());
  std::vector<std::vector<std::string>> rows = {
      {"size", "original us", "spread", "class", "us", "speed-up", "best us", "best recipe there"}};
  for (const tune::SizeRow& row : report.rows)
    rows.push_back(
        {row.sizes, fmt::format("{:.2f}", row.original), fmt::format("±{:.1f} %", row.spread * 100),
         row.className, fmt::format("{:.2f}", row.chosen), fmt::format("{:.2f}", row.original / row.chosen),
         fmt::format("{:.2f}", row.best), row.bestRecipe.empty() ? "(the original)" : row.bestRecipe});
  out += table(rows);
  out +=
      fmt::format("{} variant{} measured at every size{}\n", report.variants, report.variants == 1 ? "" : "s",
                  report.known ? fmt::format(", {} measurements known from the store", report.known) : "");
  for (const std::string& recipe : report.rejected)
    out += fmt::format("fast and wrong at other sizes (please report): {}\n", recipe);
  if (!report.reason.empty())
    return out + fmt::format("{} stays as it is: {}\n", report.kernel, report.reason);
  for (const std::string& line : report.classes) out += fmt::format("class {}\n", line);
  return out + (report.checked.empty() ? "" : report.checked + "\n");
}

}  // namespace hone::report
