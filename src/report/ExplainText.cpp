// Text and JSON of what ExplainKernel gathered.
#include <fmt/core.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

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

}  // namespace

std::string toText(const KernelExplanation& kernel) {
  std::string name = kernel.name;
  if (!kernel.templateArgs.empty()) name += "<" + joined(kernel.templateArgs, ", ") + ">";
  std::string out = fmt::format("{}:{}: kernel `{}`\n", kernel.file, kernel.line, name);
  std::vector<std::vector<std::string>> rows;
  if (!kernel.imported) {
    out += fmt::format("  left alone: {}{}\n", kernel.reason,
                       kernel.reasonAt.empty() ? "" : " (" + kernel.reasonAt + ")");
  } else {
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
    rows.clear();
    for (const std::string& function : kernel.functions) rows.push_back({function});
    out += section("calls", std::move(rows));
    rows.clear();
  }
  for (const auto& launch : kernel.launches) rows.push_back({launch.place, launchText(launch)});
  out += section("launches in sight", std::move(rows));
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
  return out;
}

}  // namespace hone::report
