#include "cli/choose/TunePage.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>

#include "emit/Patch.h"

namespace hone::cli {

namespace {

std::string now() {
  const std::time_t time = std::time(nullptr);
  char text[40];
  std::tm parts{};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", gmtime_r(&time, &parts));
  return text;
}

std::string withoutBlankEnds(const std::string& text) {
  const size_t first = text.find_first_not_of("\r\n"), last = text.find_last_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// From the start of the line, so that all lines of the definition are indented alike.
size_t lineBegin(const std::string& text, size_t at) {
  const size_t newline = at ? text.rfind('\n', at - 1) : std::string::npos;
  const size_t begin = newline == std::string::npos ? 0 : newline + 1;
  return text.find_first_not_of(" \t", begin) >= at ? begin : at;
}

std::string placedText(const KernelOutcome& outcome) {
  if (outcome.form == PlanForm::AtEntry) return "in the place of the original, its condition tested at entry";
  if (outcome.form == PlanForm::InPlace)
    return outcome.isTemplate ? "behind the template, as an explicit specialization"
                              : "in the place of the original";
  if (outcome.language == ir::Language::OpenCL)
    return "beside the original; the comment above it says how to enqueue it";
  const auto patched = std::count_if(outcome.launches.begin(), outcome.launches.end(),
                                     [](const LaunchOutcome& launch) { return launch.reason.empty(); });
  return outcome.launches.empty()
             ? fmt::format("beside the original; no launch of it is in sight, call {} where you launch it",
                           outcome.launchFunction)
             : fmt::format("beside the original; {} of {} launch{} now call{} {}", patched,
                           outcome.launches.size(), outcome.launches.size() == 1 ? "" : "es",
                           patched == 1 ? "s" : "", outcome.launchFunction);
}

void addSource(report::TunedKernel& kernel, const KernelOutcome& outcome, const RewriteProgram& program) {
  if (outcome.views.empty() || !outcome.views.front().imported) return;
  const frontend::ImportedKernel& imported = *outcome.views.front().imported;
  if (!imported.definition.valid() || canonicalPath(imported.definition.file) != outcome.file) return;
  const std::string& text = program.originalText(outcome.file);
  const size_t begin = lineBegin(text, imported.definition.begin);
  kernel.before = text.substr(begin, imported.definition.end - begin);
  kernel.firstLine = 1 + static_cast<unsigned>(std::count(
                             text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  if (!outcome.edit || !outcome.result) return;
  const emit::Edit& edit = *outcome.edit;
  kernel.after = edit.begin == edit.end ? withoutBlankEnds(edit.text)
                                        : text.substr(begin, edit.begin - begin) + edit.text;
  kernel.placed = placedText(outcome);
}

std::string quoted(const std::string& word) {
  const bool isPlain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("-_=./:,+@%").find(c) != std::string_view::npos;
  });
  if (isPlain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string commandText(const std::string& command, const Arguments& arguments) {
  std::string out = command;
  for (const std::string& word : arguments.words) out += " " + quoted(word);
  if (!arguments.compilerFlags.empty()) out += " --";
  for (const std::string& word : arguments.compilerFlags) out += " " + quoted(word);
  return out;
}

void writeTunePage(const std::string& file, const std::vector<report::TuneReport>& reports,
                   const RewriteProgram& program, const DisplayNames& names, const std::string& command) {
  report::TunePage page;
  page.command = command;
  page.date = now();
  page.placeOf = [&](const ir::SourceLoc& loc) { return loc.valid() ? placeOf(loc, names) : std::string(); };
  for (const KernelOutcome& outcome : program.outcomes()) {
    const std::string place = placeOf(outcome.loc, names);
    const auto found = std::find_if(reports.begin(), reports.end(), [&](const report::TuneReport& one) {
      return one.place == place && one.kernel == outcome.name;
    });
    if (found == reports.end()) continue;
    report::TunedKernel kernel;
    kernel.about = *found;
    // What was found and could not be put into the file.
    if (kernel.about.chosen >= 0 && !outcome.result) {
      kernel.about.chosen = -1;
      kernel.about.reason = outcome.reason;
    }
    addSource(kernel, outcome, program);
    page.kernels.push_back(std::move(kernel));
  }
  emit::writeAtomically({{file, report::toHtml(page)}});
}

}  // namespace hone::cli
