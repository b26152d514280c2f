// Text and JSON of what ExplainKernel gathered.
#include <fmt/core.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "device/Case.h"
#include "report/ExplainKernel.h"
#include "report/Table.h"

namespace hone::report {

namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::string launchText(const ExplainedLaunch& launch) {
  std::vector<std::string> configuration = {launch.grid, launch.block};
  if (!launch.shared.empty() || !launch.stream.empty())
    configuration.push_back(launch.shared.empty() ? "0" : launch.shared);
  if (!launch.stream.empty()) configuration.push_back(launch.stream);
  std::string text = launch.form == "chevrons"
                         ? fmt::format("<<<{}>>>({})", joined(configuration, ", "), joined(launch.args, ", "))
                         : fmt::format("{}: grid {}, block {}", launch.form, launch.grid, launch.block);
  if (!launch.templateArgs.empty()) text = "<" + joined(launch.templateArgs, ", ") + ">" + text;
  return launch.inMacro ? text + " (in a macro)" : text;
}

// Rows behind a heading, all indented; nothing when there are none.
std::string section(const std::string& heading, std::vector<std::vector<std::string>> rows) {
  if (rows.empty()) return "";
  for (auto& row : rows) row.front() = "    " + row.front();
  return "  " + heading + "\n" + table(rows);
}

std::string assumptionText(const KernelExplanation& kernel) {
  std::string text =
      kernel.assumption.free ? "free: any grid and block with as many threads will do" : "as launched";
  if (!kernel.assumption.free && !kernel.assumption.reason.empty()) text += ": " + kernel.assumption.reason;
  if (kernel.assumption.fixedBlock) {
    const auto& block = *kernel.assumption.fixedBlock;
    text += fmt::format("; block of {} x {} x {} required", block[0], block[1], block[2]);
  }
  if (kernel.bounds) {
    text += fmt::format("; at most {} threads a block", kernel.bounds->maxThreads);
    if (kernel.bounds->minBlocks > 0)
      text += fmt::format(", at least {} blocks a multiprocessor", kernel.bounds->minBlocks);
  }
  return text;
}

// Marks what costs more than it should and what is as it should be.
struct Paint {
  bool on = false;
  std::string costly(const std::string& text) const { return on ? "\033[33m" + text + "\033[0m" : text; }
  std::string good(const std::string& text) const { return on ? "\033[32m" + text + "\033[0m" : text; }
  std::string dim(const std::string& text) const { return on ? "\033[2m" + text + "\033[0m" : text; }
};

std::string blockText(const std::array<unsigned, 3>& block) {
  std::string out = fmt::format("{}", block[0]);
  if (block[1] * block[2] > 1) out += fmt::format(" x {}", block[1]);
  if (block[2] > 1) out += fmt::format(" x {}", block[2]);
  return out;
}

std::string paragraph(const std::string& text) { return "    " + wrap(text, 114, 6) + "\n"; }

std::string factsText(const FactsReport& facts, const std::vector<ExplainedAccess>& accesses, Paint paint) {
  std::string out = fmt::format("  facts for blocks of {} ({}) on {}\n", blockText(facts.block),
                                facts.blockFrom, facts.target);
  std::map<std::string, unsigned> lines;
  for (const ExplainedAccess& access : accesses) lines[access.handle] = access.line;
  std::vector<std::vector<std::string>> rows;
  std::vector<const AccessFacts*> shown;
  for (const AccessFacts& a : facts.accesses) {
    std::string verdict = a.verdict.empty() ? (a.resolved ? "resolved" : "not resolved") : a.verdict;
    std::string note = a.why;
    if (!a.reason.empty() && a.reason != a.why) note += (note.empty() ? "" : "; ") + a.reason;
    rows.push_back({"    " + a.handle, verdict, a.cost, note});
    shown.push_back(&a);
  }
  // Colours come after the columns are laid out: they take no room on the screen.
  std::string text = table(rows);
  size_t at = 0;
  for (const AccessFacts* a : shown) {
    size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    at = end == std::string::npos ? text.size() : end + 1;
    out += (a->isCostly ? paint.costly(line) : a->resolved ? line : paint.dim(line)) + "\n";
  }
  rows.clear();
  for (const ArrayFacts& a : facts.arrays) {
    std::string what = a.block;
    for (const std::string& s : a.sharing) what += (what.empty() ? "" : "; ") + s;
    out += paragraph(fmt::format("{}{}: {}", a.array, a.shape, what));
  }
  for (const std::string& line : facts.resources) out += "    " + line + "\n";
  if (!facts.remarks.empty()) out += "  what could be done\n";
  for (const FactRemark& r : facts.remarks) {
    std::string line = fmt::format("line {}: {}", r.loc.line, r.text);
    if (!r.obstacle.empty()) line += "; in the way: " + r.obstacle;
    out += paragraph(line);
  }
  if (!facts.requirements.empty()) out += "  relies on\n";
  for (const std::string& r : facts.requirements) out += paragraph(r);
  return out;
}

// How long the kernel must take at least, and what it takes by the estimate.
std::string roofText(const RoofFacts& roof) {
  if (roof.bound.empty()) return "not known: " + roof.problem;
  const auto microseconds = [](double seconds) { return fmt::format("{:.3g} us", seconds * 1e6); };
  std::string out =
      roof.bound == "DRAM"
          ? fmt::format("{}, {:.3g} MB at {:.0f} GB/s", microseconds(roof.floorSeconds), roof.bytes / 1e6,
                        roof.gigabytes)
          : fmt::format("{} of arithmetic ({} to move {:.3g} MB)", microseconds(roof.floorSeconds),
                        microseconds(roof.dramSeconds), roof.bytes / 1e6);
  out += fmt::format("; estimated {}, {} of them the launch: {:.0f} % of what the roof allows, bound by {}",
                     microseconds(roof.seconds), microseconds(roof.startSeconds), 100 * roof.share,
                     roof.limiter);
  if (!roof.sizes.empty()) out += fmt::format(" ({}, {})", roof.sizes, roof.whose);
  return out;
}

std::string capturedText(const ExplainedCapture& captured) {
  constexpr size_t mostShown = 6;
  std::vector<std::vector<std::string>> rows;
  for (const ExplainedCapture::Launch& launch : captured.launches) {
    if (rows.size() == mostShown) break;
    std::string numbers;
    for (const auto& [name, value] : launch.numbers)
      numbers += (numbers.empty() ? "" : " ") + name + "=" + value;
    rows.push_back({fmt::format("grid {}, block {}", device::extentsText(launch.grid),
                                device::extentsText(launch.block)),
                    fmt::format("{} {}", launch.times, launch.times == 1 ? "time" : "times"),
                    captured.hasTimes ? fmt::format("{:.1f} us", launch.microseconds) : "", numbers});
  }
  const size_t others = captured.launches.size() - rows.size();
  std::string out = section(fmt::format("launches of {} ({:.1f} % of the program's {})", captured.file,
                                        100 * captured.share, captured.sharedOf),
                            std::move(rows));
  if (others) out += fmt::format("    and {} other kinds of launches\n", others);
  return out;
}

}  // namespace

std::string toText(const KernelExplanation& kernel, bool colours) {
  std::string name = kernel.name;
  if (!kernel.templateArgs.empty()) name += "<" + joined(kernel.templateArgs, ", ") + ">";
  std::string out = fmt::format("{}:{}: kernel `{}`\n", kernel.file, kernel.line, name);
  std::vector<std::vector<std::string>> rows;
  if (!kernel.imported) {
    out += fmt::format("  left alone: {}{}\n", kernel.reason,
                       kernel.reasonAt.empty() ? "" : " (" + kernel.reasonAt + ")");
  } else {
    if (kernel.facts) {
      out += "  kind          " +
             wrap(fmt::format("{}: {}", kernel.facts->kind, kernel.facts->kindReason), 100, 16) + "\n";
      out += "  roof          " + wrap(roofText(kernel.facts->roof), 100, 16) + "\n";
    }
    out += fmt::format("  launch        {}\n", assumptionText(kernel));
    for (const auto& p : kernel.parameters) rows.push_back({p.name, p.type});
    out += section("parameters", std::move(rows));
    rows.clear();
    for (const auto& a : kernel.arrays)
      rows.push_back({a.name, a.space, a.element,
                      a.shape.empty() ? "scalar" : "[" + joined(a.shape, "][") + "]", a.origin});
    out += section("arrays", std::move(rows));
    rows.clear();
    for (const auto& loop : kernel.loops)
      rows.push_back({loop.handle, loop.header, fmt::format("line {}", loop.line)});
    out += section("loops", std::move(rows));
    rows.clear();
    for (const auto& access : kernel.accesses) {
      std::string where = fmt::format("line {}", access.line);
      if (!access.loops.empty()) where += ", in " + access.loops.back();
      if (!access.guards.empty()) where += ", if " + joined(access.guards, " && ");
      rows.push_back({access.handle, access.atomic ? "atomic" : access.mode, access.text, where});
    }
    out += section("accesses", std::move(rows));
    if (kernel.facts) out += factsText(*kernel.facts, kernel.accesses, {colours});
    rows.clear();
    for (const std::string& function : kernel.functions) rows.push_back({function});
    out += section("calls", std::move(rows));
    rows.clear();
  }
  for (const auto& launch : kernel.launches) rows.push_back({launch.place, launchText(launch)});
  out += section("launches in sight", std::move(rows));
  if (kernel.captured) out += capturedText(*kernel.captured);
  if (kernel.addressTaken) out += "  its address is taken: it may be launched where hone cannot see\n";
  return out;
}

nlohmann::ordered_json toJson(const KernelExplanation& kernel) {
  using Json = nlohmann::ordered_json;
  Json out;
  out["file"] = kernel.file;
  out["line"] = kernel.line;
  out["name"] = kernel.name;
  out["template_args"] = kernel.templateArgs;
  out["language"] = kernel.language;
  out["imported"] = kernel.imported;
  out["reason"] = kernel.reason;
  out["reason_at"] = kernel.reasonAt;
  out["address_taken"] = kernel.addressTaken;
  out["launch"] = {{"free", kernel.assumption.free}, {"reason", kernel.assumption.reason}};
  out["launch"]["required_block"] =
      kernel.assumption.fixedBlock ? Json(*kernel.assumption.fixedBlock) : Json(nullptr);
  out["launch"]["max_threads"] = kernel.bounds ? Json(kernel.bounds->maxThreads) : Json(nullptr);
  out["launch"]["min_blocks"] = kernel.bounds ? Json(kernel.bounds->minBlocks) : Json(nullptr);
  for (const char* key : {"parameters", "arrays", "loops", "accesses", "functions", "launches"})
    out[key] = Json::array();
  for (const auto& p : kernel.parameters) out["parameters"].push_back({{"name", p.name}, {"type", p.type}});
  for (const auto& a : kernel.arrays)
    out["arrays"].push_back({{"name", a.name},
                             {"origin", a.origin},
                             {"space", a.space},
                             {"element", a.element},
                             {"shape", a.shape}});
  for (const auto& loop : kernel.loops)
    out["loops"].push_back({{"handle", loop.handle},
                            {"line", loop.line},
                            {"parent", loop.parent},
                            {"kind", loop.kind},
                            {"header", loop.header}});
  for (const auto& access : kernel.accesses)
    out["accesses"].push_back({{"handle", access.handle},
                               {"line", access.line},
                               {"array", access.array},
                               {"mode", access.mode},
                               {"atomic", access.atomic},
                               {"text", access.text},
                               {"indices", access.indices},
                               {"loops", access.loops},
                               {"guards", access.guards}});
  out["functions"] = kernel.functions;
  out["facts"] = kernel.facts ? toJson(*kernel.facts) : Json(nullptr);
  for (const auto& launch : kernel.launches)
    out["launches"].push_back({{"at", launch.place},
                               {"form", launch.form},
                               {"template_args", launch.templateArgs},
                               {"grid", launch.grid},
                               {"block", launch.block},
                               {"shared", launch.shared},
                               {"stream", launch.stream},
                               {"args", launch.args},
                               {"in_macro", launch.inMacro}});
  out["captured"] = nullptr;
  if (kernel.captured) {
    const ExplainedCapture& captured = *kernel.captured;
    out["captured"] = {{"file", captured.file}, {"share", captured.share}, {"launches", Json::array()}};
    for (const ExplainedCapture::Launch& launch : captured.launches)
      out["captured"]["launches"].push_back(
          {{"grid", launch.grid},
           {"block", launch.block},
           {"times", launch.times},
           {"microseconds", captured.hasTimes ? Json(launch.microseconds) : Json(nullptr)},
           {"numbers", launch.numbers}});
  }
  return out;
}

}  // namespace hone::report
