#include "report/ChoiceReport.h"

#include <fmt/core.h>

#include <set>

#include "report/JudgeReport.h"
#include "report/KernelProfile.h"
#include "report/Table.h"

namespace hone::report {

namespace {

using Rows = std::vector<std::vector<std::string>>;

sim::MemoryCount memoryOf(const tune::PlanEstimate& estimate) {
  sim::MemoryCount all;
  for (const tune::LaunchEstimate& launch : estimate.launches) all.add(launch.memory);
  return all;
}

std::string geometry(const tune::PlanEstimate& estimate) {
  const tune::LaunchEstimate& first = *estimate.longest();
  std::string out =
      fmt::format("{} of {}", device::extentsText(first.grid), device::extentsText(first.block));
  return estimate.launches.size() > 1 ? fmt::format("{} launches, {}", estimate.launches.size(), out) : out;
}

}  // namespace

std::vector<std::vector<std::string>> counterRows(const tune::PlanEstimate& before,
                                                  const tune::PlanEstimate& after) {
  const sim::MemoryCount a = memoryOf(before), b = memoryOf(after);
  Rows rows;
  auto add = [&](const char* name, const std::string& x, const std::string& y) {
    rows.push_back({name, x, y});
  };
  auto sectors = [](const sim::MemoryCount& m) {
    return fmt::format("{:.1f} ({:.1f})", ratio(m.sectors, m.globalRequests()),
                       ratio(m.minimumSectors, m.globalRequests()));
  };
  auto count = [](uint64_t n) { return shortCount(static_cast<double>(n)); };
  add("blocks", geometry(before), geometry(after));
  add("global requests", count(a.globalRequests()), count(b.globalRequests()));
  add("sectors a request (least)", sectors(a), sectors(b));
  add("from L2", shortBytes(double(a.l2Sectors) * 32), shortBytes(double(b.l2Sectors) * 32));
  add("from DRAM", shortBytes(double(a.dramSectors) * 32), shortBytes(double(b.dramSectors) * 32));
  add("shared requests", count(a.sharedRequests), count(b.sharedRequests));
  add("bank passes a request",
      a.sharedRequests ? fmt::format("{:.1f}", ratio(a.wavefronts, a.sharedRequests)) : "",
      b.sharedRequests ? fmt::format("{:.1f}", ratio(b.wavefronts, b.sharedRequests)) : "");
  const tune::LaunchEstimate &x = *before.longest(), &y = *after.longest();
  auto resources = [](const tune::LaunchEstimate& l) {
    return fmt::format("{} registers, {} B shared, {}", l.registers, l.sharedBytes,
                       percent(l.occupancy.share));
  };
  if (a.partitionEven || b.partitionEven) {
    auto camping = [](const sim::MemoryCount& m) {
      return fmt::format("{:.1f}", ratio(m.partitionBusiest, m.partitionEven));
    };
    add("busiest partition (1.0: even)", camping(a), camping(b));
  }
  add("a thread, occupancy", resources(x), resources(y));
  add("limited by", sim::str(x.time.limiter), sim::str(y.time.limiter));
  add("estimated time", shortTime(before.seconds), shortTime(after.seconds));
  return rows;
}

namespace {

std::string counters(const tune::PlanEstimate& before, const tune::PlanEstimate& after) {
  Rows rows = {{"", "before", "after"}};
  for (std::vector<std::string>& row : counterRows(before, after)) {
    row[0] = "    " + row[0];
    rows.push_back(std::move(row));
  }
  return table(rows);
}

// Kernels without a size have none to show. What was guessed is said to be, and how to do better.
std::string sizesInBrackets(const tune::Choice& choice) {
  const std::string guesses = choice.guessesText();
  if (choice.sizes.empty() && guesses.empty()) return "";
  if (guesses.empty()) return fmt::format(" ({})", device::sizesText(choice.sizes));
  if (choice.isCaptured || choice.isSmaller || choice.isRead)
    return fmt::format(" ({}, as {})", choice.sizes.empty() ? guesses : device::sizesText(choice.sizes),
                       choice.whoseSizes());
  std::map<std::string, int64_t> known;
  for (const auto& [name, size] : choice.sizes)
    if (!choice.guessed.contains(name)) known.emplace(name, size);
  return fmt::format(" ({}{}GUESSED: {}; {})", device::sizesText(known), known.empty() ? "" : "; ", guesses,
                     choice.howToGiveGuesses());
}

// Where what was chosen runs, if sizes had to be guessed.
std::string paysText(const tune::Choice& choice) {
  if (!choice.pays) return "";
  if (choice.pays->sizes <= 1)
    return fmt::format(
        "  pays at the sizes {}; none of the others tried says more: its conditions keep it from "
        "running there, or estimates tell no difference or take too long\n",
        choice.whoseSizes());
  if (choice.pays->bounds.empty())
    return fmt::format("  pays at each of {} sizes that it was estimated at\n", choice.pays->sizes);
  return fmt::format("  pays where {}, by estimates at {} sizes; elsewhere the original runs{}\n",
                     choice.pays->text(), choice.pays->sizes,
                     choice.pays->worst.empty() ? "" : fmt::format(" ({})", choice.pays->worst));
}

// Estimates for less than what was given, or than what the program says.
std::string shortenedText(const tune::Choice& choice) {
  if (choice.inPlaceOfGiven.empty()) return "";
  return fmt::format("  estimated with {}: with the size that it has it takes too long to be run here\n",
                     device::sizesText(choice.inPlaceOfGiven));
}

// A search that ended early.
std::string leftOutText(const tune::Choice& choice) {
  if (choice.leftOut == 0) return "";
  return fmt::format(
      "  {} more variant{} not estimated: a block of this kernel takes too many instructions; --set gives it "
      "less to do\n",
      choice.leftOut, choice.leftOut == 1 ? " was" : "s were");
}

// The first of the original's findings, each with its place.
std::string findingsText(const ChoiceReport& about, const tune::Choice& choice) {
  constexpr size_t most = 5;
  std::string out;
  for (size_t i = 0; i < choice.findings.size() && i < most; ++i) {
    const device::JudgedFinding& one = choice.findings[i];
    const ir::SourceLoc loc{ir::internFile(one.finding.party.file), one.finding.party.line, 0};
    out += fmt::format("    {}{}{}\n", one.finding.party.file.empty() ? "" : about.placeOf(loc) + ": ",
                       one.finding.message, one.sizes.empty() ? "" : " (at " + one.sizes + ")");
  }
  if (choice.findings.size() > most)
    out += fmt::format("    and {} more: hone check shows them\n", choice.findings.size() - most);
  return out;
}

std::string verifiedText(const ChoiceReport& about, const device::Judgement& judged) {
  size_t compared = 0, fellBack = 0;
  for (const device::JudgedRun& run : judged.runs)
    if (run.equal) ++(run.fellBack ? fellBack : compared);
  std::string out = fmt::format(
      "  verified: the same results as the original in {} run{} on the embedded device{}\n", compared,
      compared == 1 ? "" : "s",
      fellBack ? fmt::format("; in {} more its conditions do not hold, and the original runs", fellBack)
               : "");
  for (const std::string& array : judged.untouched)
    out += fmt::format("    array '{}' was not touched in any of them\n", array);
  const std::string places = unreachedText(judged.unreached, [&](const std::string& file) {
    const std::string place = about.placeOf({ir::internFile(file), 1, 0});
    return place.substr(0, place.rfind(':'));
  });
  if (!places.empty()) out += fmt::format("    statements that none of them came to: {}\n", places);
  for (const std::string& line : oneSidedTexts(judged)) out += fmt::format("    {}\n", line);
  return out;
}

// What stands at no line of its own is about the whole kernel.
std::string placeIn(const ChoiceReport& about, const ir::SourceLoc& loc) {
  return loc.valid() ? about.placeOf(loc) : about.place;
}

}  // namespace

std::string toText(const ChoiceReport& about, const tune::Choice& choice, bool isVerbose) {
  std::string out = fmt::format("{}: kernel `{}`: ", about.place, about.kernel);
  const tune::Variant* best = choice.best();
  if (!best) {
    out += fmt::format("left as it is: {}\n", choice.reason);
    out += findingsText(about, choice);
    out += shortenedText(choice);
    out += leftOutText(choice);
  } else {
    out += fmt::format("estimated {:.1f} times faster on {}{}\n", choice.speedup(), about.target->name,
                       sizesInBrackets(choice));
    out += shortenedText(choice);
    out += fmt::format("  recipe: {}\n", passes::str(best->recipe));
    for (const passes::Remark& remark : best->remarks)
      if (remark.kind == passes::RemarkKind::Done)
        out += fmt::format("    {}: {}: {}\n", placeIn(about, remark.loc), remark.pass, remark.text);
    out += counters(choice.original.estimate, best->estimate);
    out += leftOutText(choice);
    out += paysText(choice);
    if (choice.verification)
      out += verifiedText(about, *choice.verification);
    else
      out += "  not verified\n";
  }
  for (const std::string& wrong : choice.rejected)
    out += fmt::format("  internal: rejected {}; please report\n", wrong);
  if (!isVerbose) return out;
  std::set<const passes::Pass*> shown;
  std::string refusals;
  for (const tune::Refused& one : choice.refused) {
    if ((best && best->recipe.has(*one.pass)) || !shown.insert(one.pass).second) continue;
    refusals += fmt::format("    {}: {}: {}\n", placeIn(about, one.refusal.place), one.pass->name,
                            one.refusal.reason);
  }
  if (!refusals.empty()) out += "  not done:\n" + refusals;
  return out;
}

std::string estimateText(const ChoiceReport& about, const tune::Choice& choice) {
  const tune::Variant& variant = choice.ranked.front();
  std::string out = fmt::format("{}: kernel `{}` on {}{}\n", about.place, about.kernel, about.target->name,
                                sizesInBrackets(choice));
  out += shortenedText(choice);
  out += fmt::format("  recipe: {}\n", passes::str(variant.recipe));
  out += counters(choice.original.estimate, variant.estimate);
  auto terms = [&](const char* what, const tune::PlanEstimate& estimate) {
    for (const tune::LaunchEstimate& launch : estimate.launches) {
      out += fmt::format("  {}, {} of {}:\n", what, device::extentsText(launch.grid),
                         device::extentsText(launch.block));
      for (const sim::TimeTerm& term : launch.time.terms)
        out += fmt::format("    {:>10}  {}: {}\n", shortTime(term.seconds), sim::str(term.limiter), term.why);
    }
  };
  terms("before", choice.original.estimate);
  terms("after", variant.estimate);
  return out;
}

std::string candidatesText(const ChoiceReport& about, const tune::Choice& choice, size_t most) {
  Rows rows = {{"  candidates", "estimated", "speed-up", "limited by", "registers", "shared", "recipe"}};
  auto add = [&](const char* mark, const tune::Variant& variant) {
    const tune::LaunchEstimate& l = *variant.estimate.longest();
    rows.push_back({mark, shortTime(variant.estimate.seconds),
                    fmt::format("{:.2f}", choice.original.estimate.seconds / variant.estimate.seconds),
                    sim::str(l.time.limiter), fmt::format("{}", l.registers),
                    fmt::format("{}", l.sharedBytes),
                    variant.recipe.calls.empty() ? "(as it is)" : passes::str(variant.recipe)});
  };
  if (!choice.original.estimate.isKnown() || choice.original.estimate.launches.empty())
    return toText(about, choice, true);
  for (size_t i = 0; i < choice.ranked.size() && i < most; ++i)
    add(int(i) == choice.chosen ? "  *" : "", choice.ranked[i]);
  add("", choice.original);
  return fmt::format("{}: kernel `{}` on {}{}\n", about.place, about.kernel, about.target->name,
                     sizesInBrackets(choice)) +
         shortenedText(choice) + table(rows);
}

}  // namespace hone::report
