#include "cli/acc/AccExplain.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/acc/AccSource.h"
#include "cli/programs/RunTool.h"
#include "emit/Emit.h"
#include "ir/Error.h"

namespace hone::cli {

using nlohmann::json;

namespace {

const char* wordOf(frontend::AccDataKind kind) {
  using K = frontend::AccDataKind;
  switch (kind) {
    case K::Copy: return "copy";
    case K::CopyIn: return "copyin";
    case K::CopyOut: return "copyout";
    case K::Create: return "create";
    case K::NoCreate: return "no_create";
    case K::Present: return "present";
    case K::DevicePtr: return "deviceptr";
    case K::Attach: return "attach";
    case K::Detach: return "detach";
    case K::Delete: return "delete";
    case K::UseDevice: return "use_device";
    case K::UpdateSelf: return "self";
    case K::UpdateDevice: return "device";
    case K::DeviceResident: return "device_resident";
    case K::Link: return "link";
    case K::Lookup: return "lookup";
  }
  return "";
}

// When its bytes move, where they are not on the device already.
const char* movesOf(const frontend::AccData& data) {
  using K = frontend::AccDataKind;
  switch (data.kind) {
    case K::Copy: return "to the device before and back behind, unless it is there already";
    case K::CopyIn: return "to the device before, unless it is there already";
    case K::CopyOut: return "back behind, unless it was there before";
    case K::Create:
    case K::DeviceResident:
      return data.zero ? "no bytes; zeros on the device" : "no bytes; room on the device";
    case K::NoCreate: return "no bytes; the device's where it is there";
    case K::Present: return "no bytes; it has to be there";
    case K::DevicePtr: return "no bytes; it is the device's address";
    case K::Attach: return "the device's pointer is set to the device's data";
    case K::Detach: return "the device's pointer is set back to the host's";
    case K::Delete: return "no bytes; it leaves the device";
    case K::UseDevice: return "no bytes; the host sees the device's address";
    case K::UpdateSelf: return "to the host";
    case K::UpdateDevice: return "to the device";
    case K::Link: return "when a data clause brings it";
    case K::Lookup: return "no bytes; the device's address where it is there, else the host's";
  }
  return "";
}

json jsonOf(const std::vector<frontend::AccData>& data) {
  json out = json::array();
  for (const frontend::AccData& one : data)
    out.push_back({{"kind", wordOf(one.kind)},
                   {"name", one.name},
                   {"implicit", one.isImplicit},
                   {"bytes", one.bytes},
                   {"moves", movesOf(one)}});
  return out;
}

json placeJson(const ir::SourceLoc& loc) {
  return loc.valid() ? json{{"file", *loc.file}, {"line", loc.line}} : json(nullptr);
}

std::string extentText(const acc::Extent& extent, bool isCovering) {
  std::string out;
  if (extent.fromClause >= 0 && !(isCovering && extent.fromTrips >= 0)) out = "the clause's number, else ";
  if (extent.fromTrips >= 0)
    out += extent.per == 1 ? "iterations" : fmt::format("iterations / {}", extent.per);
  else
    out += std::to_string(extent.otherwise);
  if (!isCovering && extent.fromTrips >= 0 && extent.most < 2147483647)
    out += fmt::format(", at most {}", extent.most);
  return out;
}

json apartJson(const frontend::AccRegion& region, const acc::LoweredRegion& made,
               const acc::LoweredKernel& kernel) {
  json pairs = json::array();
  for (const auto& [a, b] : made.apart[size_t(kernel.when.test)])
    pairs.push_back({region.captured[size_t(a)].name, region.captured[size_t(b)].name});
  return pairs;
}

json regionJson(const AccSource& source, size_t number) {
  const frontend::AccRegion& region = source.unit.regions[number];
  const acc::LoweredRegion& made = source.lowered[number];
  json loops = json::array(), kernels = json::array();
  for (const acc::LoopMapping& loop : made.loops)
    loops.push_back({{"line", loop.loc.line}, {"levels", loop.levels}, {"reason", loop.reason}});
  for (const acc::LoweredKernel& one : made.kernels) {
    json grid = json::array();
    for (const acc::Extent& extent : one.grid) grid.push_back(extentText(extent, one.isCovering));
    json kernel{{"name", one.kernel->name},
                {"block", {one.block[0], one.block[1], one.block[2]}},
                {"grid", grid},
                {"one_thread_an_iteration", one.isCovering}};
    if (one.when.test >= 0)
      kernel[one.when.holds ? "only_apart" : "unless_apart"] = apartJson(region, made, one);
    kernels.push_back(std::move(kernel));
  }
  json out{{"construct", acc::siteOf(region)},
           {"place", placeJson(region.loc)},
           {"function", region.function},
           {"name", region.name},
           {"runs", made.reason.empty() ? "device" : "host"},
           {"loops", loops},
           {"kernels", kernels},
           {"data", jsonOf(region.data)}};
  if (!made.reason.empty()) {
    out["reason"] = made.reason;
    out["reason_place"] = placeJson(made.reasonLoc);
  }
  return out;
}

json sourceJson(const AccSource& source) {
  json regions = json::array(), directives = json::array(), messages = json::array();
  for (size_t k = 0; k < source.unit.regions.size(); ++k) regions.push_back(regionJson(source, k));
  for (const frontend::AccDirective& one : source.unit.directives)
    directives.push_back(
        {{"construct", acc::siteOf(one)}, {"place", placeJson(one.loc)}, {"data", jsonOf(one.data)}});
  // What warnings say is part of what is said of loops.
  for (const acc::HostProblem& one : source.problems)
    if (!one.isWarning)
      messages.push_back({{"place", placeJson(one.loc)}, {"text", one.text}, {"error", one.isError}});
  for (const frontend::AccMessage& one : source.unit.messages)
    if (!one.isError)
      messages.push_back({{"place", placeJson(one.loc)}, {"text", one.text}, {"error", false}});
  return {
      {"file", source.input.path}, {"regions", regions}, {"directives", directives}, {"messages", messages}};
}

// When a kernel is launched, where that hangs on what pointers lead to.
std::string apartText(const json& kernel) {
  const bool isOnly = kernel.contains("only_apart");
  if (!isOnly && !kernel.contains("unless_apart")) return "";
  std::string text;
  for (const json& pair : kernel[isOnly ? "only_apart" : "unless_apart"])
    text += fmt::format("{}{} and {}", text.empty() ? "" : ", ", pair[0].get<std::string>(),
                        pair[1].get<std::string>());
  return fmt::format("; {} {} lead to memory of their own", isOnly ? "only where" : "unless", text);
}

void printData(const json& data) {
  for (const json& one : data)
    fmt::print("    {}({}){}: {}\n", one["kind"].get<std::string>(), one["name"].get<std::string>(),
               one["implicit"].get<bool>() ? ", implicit" : "", one["moves"].get<std::string>());
}

void printText(const json& file) {
  for (const json& region : file["regions"]) {
    fmt::print("{}\n", region["construct"].get<std::string>());
    if (region.contains("reason"))
      fmt::print("  runs on the host: {}\n", region["reason"].get<std::string>());
    for (const json& loop : region["loops"])
      fmt::print("  loop in line {}: {}{}{}\n", loop["line"].get<unsigned>(),
                 loop["levels"].get<std::string>(), loop["reason"].get<std::string>().empty() ? "" : ": ",
                 loop["reason"].get<std::string>());
    for (const json& kernel : region["kernels"]) {
      const json &grid = kernel["grid"], &block = kernel["block"];
      fmt::print("  kernel {}: {} x {} x {} threads a gang; gangs: {}", kernel["name"].get<std::string>(),
                 block[0].get<int64_t>(), block[1].get<int64_t>(), block[2].get<int64_t>(),
                 grid[0].get<std::string>());
      for (const int axis : {1, 2})
        if (grid[axis] != "1") fmt::print("; {}: {}", axis == 1 ? "y" : "z", grid[axis].get<std::string>());
      fmt::print("{}{}\n", kernel["one_thread_an_iteration"].get<bool>() ? "; one thread an iteration" : "",
                 apartText(kernel));
    }
    if (!region["data"].empty()) fmt::print("  data:\n");
    printData(region["data"]);
  }
  for (const json& one : file["directives"]) {
    fmt::print("{}\n", one["construct"].get<std::string>());
    printData(one["data"]);
  }
  for (const json& one : file["messages"]) {
    const json& place = one["place"];
    if (!place.is_null())
      fmt::print("{}:{}: ", place["file"].get<std::string>(), place["line"].get<unsigned>());
    fmt::print("{}: {}\n", one["error"].get<bool>() ? "error" : "note", one["text"].get<std::string>());
  }
}

}  // namespace

int explainAcc(const AccRequest& request) {
  Scratch scratch;
  json files = json::array();
  bool hasErrors = false;
  for (const AccInput& input : request.inputs) {
    if (!input.isSource || input.isPlain) continue;
    const std::optional<AccSource> source = readAccSource(input, request, scratch.folder);
    if (!source) throw Error(input.path + ": it does not compile, and has no OpenACC", 1);
    files.push_back(sourceJson(*source));
    hasErrors |= source->hasErrors();
  }
  if (request.isJson)
    fmt::print("{}\n", json{{"files", files}}.dump(2));
  else
    for (const json& file : files) printText(file);
  return hasErrors ? 1 : 0;
}

}  // namespace hone::cli
