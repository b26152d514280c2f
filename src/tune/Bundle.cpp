#include "tune/Bundle.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hone/Config.h"
#include "ir/Error.h"

namespace hone::tune {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kRun = R"sh(#!/bin/sh
# Measures the variants of this folder on the GPU of this machine and leaves results.jsonl; run again, it goes on where it was.
#   ./run [MINUTES]
# Needs a C++20 compiler (CMake where there is one), the GPU's driver and, for CUDA, NVRTC.
set -e
cd "$(dirname "$0")"
if [ ! -x build/hone-worker ]; then
  mkdir -p build
  if command -v cmake > /dev/null; then
    cmake -S worker/src/worker -B build -DCMAKE_BUILD_TYPE=Release -DHONE_JSON_INCLUDE="$PWD/worker/include" > build/build.log
    cmake --build build -j 8 >> build/build.log
  else
    ${CXX:-c++} -std=c++20 -O2 -I worker/src -I worker/include worker/src/worker/*.cpp -o build/hone-worker -ldl -lpthread
  fi
fi
exec build/hone-worker --bundle jobs.jsonl results.jsonl "$@"
)sh";

// Where the worker's sources lie: beside the installed program, else in the source tree.
fs::path workerSources() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& one :
       {self.parent_path() / ".." / config::installedWorkerDir, fs::path(config::sourceWorkerDir)})
    if (fs::exists(one / "CMakeLists.txt", error)) return one;
  throw Error("the sources of hone-worker are not there: a bundle cannot be made without them", 2);
}

// The headers of the JSON library, of the package that hone was built with.
fs::path jsonHeaders() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& one : {self.parent_path() / ".." / config::installedWorkerDir / "include" / "nlohmann",
                              fs::path(config::jsonIncludeDir) / "nlohmann"})
    if (fs::exists(one / "json.hpp", error)) return one;
  throw Error("nlohmann/json.hpp is not there: install nlohmann-json3-dev to make bundles", 2);
}

void writeLines(const fs::path& file, const std::vector<std::string>& lines) {
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << "\n";
  if (!out.flush()) throw Error(fmt::format("'{}' cannot be written", file.string()), 2);
}

std::vector<json> readLines(const fs::path& file, const char* missing) {
  std::error_code error;
  std::ifstream in;
  if (fs::is_regular_file(file, error)) in.open(file);
  if (!in.is_open()) throw Error(fmt::format("'{}' cannot be read: {}", file.string(), missing), 2);
  std::vector<json> out;
  size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    json one = worker::parseLine(line);
    // The last line may have been cut off when its writer was ended: it has no end of line then.
    if (!one.is_object() && !in.eof())
      throw Error(fmt::format("{}:{}: this is no JSON object", file.string(), number), 2);
    if (one.is_object()) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string bundleCase(const std::string& key, size_t before) {
  return before == 0 ? key : fmt::format("{}#{}", key, before + 1);
}

BundleWriter::BundleWriter(const std::string& path) : folder(path) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    throw Error(fmt::format("'{}' holds something already; name a new folder for the bundle", folder), 2);
}

void BundleWriter::addCase(const worker::CaseSpec& spec, const std::string& kernelName,
                           const std::string& sizesText, const ir::PlanPtr& original,
                           const ir::Module& ofModule, const device::Case& usedCase,
                           const device::CaseData& usedData, bool exact) {
  caseId = bundleCase(caseKey(spec), cases[caseKey(spec)]++);
  kernel = kernelName;
  sizes = sizesText;
  module = &ofModule;
  c = &usedCase;
  data = &usedData;
  isExact = exact;
  ids.clear();
  worker::CaseSpec named = spec;
  named.id = caseId;
  if (jobs.empty()) jobs.push_back(json{{"do", "ceilings"}, {"device", spec.device}}.dump());
  jobs.push_back(json(named).dump());
  Variant first;
  first.plan = original;
  if (!add(first)) throw Error(fmt::format("kernel '{}' cannot be printed by itself", kernel), 1);
}

bool BundleWriter::add(const Variant& variant) {
  PlanJob job;
  try {
    job = planJob(*variant.plan, *module, *c, *data);
  } catch (const Error&) {
    return false;
  }
  if (job.fellBack) return false;
  job.variant.isReference = ids.empty();
  job.variant.isExact = isExact;
  const std::string id = variantKey(job.variant);
  if (!ids.insert(id).second) return false;
  job.variant.id = id;
  job.variant.caseId = caseId;
  json line = job.variant;
  const std::string recipe = passes::str(variant.recipe);
  line["title"] = fmt::format("{} {}", kernel, recipe.empty() ? "(the original)" : recipe);
  jobs.push_back(line.dump());
  described.push_back(json{{"id", id},
                           {"case", caseId},
                           {"kernel", kernel},
                           {"recipe", recipe},
                           {"sizes", sizes},
                           {"predicted_us", variant.estimate.isKnown() ? variant.estimate.seconds * 1e6 : 0}}
                          .dump());
  return true;
}

void BundleWriter::write() {
  std::error_code error;
  const bool isNew = fs::create_directories(folder, error);
  try {
    const fs::path base = folder;
    const auto options = fs::copy_options::recursive | fs::copy_options::overwrite_existing;
    fs::create_directories(base / "worker/src/worker");
    for (const auto& entry : fs::directory_iterator(workerSources()))
      if (entry.is_regular_file())
        fs::copy(entry.path(), base / "worker/src/worker" / entry.path().filename(), options);
    fs::create_directories(base / "worker/include");
    fs::copy(jsonHeaders(), base / "worker/include/nlohmann", options);
    writeLines(base / "jobs.jsonl", jobs);
    writeLines(base / "variants.jsonl", described);
    writeLines(base / "run", {kRun});
    fs::permissions(base / "run", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
  } catch (const fs::filesystem_error& problem) {
    if (isNew) fs::remove_all(folder, error);
    throw Error(fmt::format("the bundle cannot be written: {}", problem.what()), 2);
  }
}

BundleResults readBundle(const std::string& folder) {
  BundleResults out;
  const fs::path base = folder;
  std::map<std::string, BundledVariant> known;
  try {
    for (const json& line : readLines(base / "variants.jsonl", "this is no bundle")) {
      BundledVariant one{line.at("id"),     line.at("case"),  line.at("kernel"),
                         line.at("recipe"), line.at("sizes"), line.at("predicted_us")};
      known[one.caseId + "/" + one.id] = one;
    }
    for (const json& line : readLines(base / "results.jsonl", "run ./run on a machine with a GPU first")) {
      if (line.contains("ceilings")) {
        out.ceilings = worker::ceilingsFrom(line.at("ceilings"));
        continue;
      }
      if (!line.contains("status")) {
        out.devices[line.at("case")] = worker::deviceFrom(line.at("device"));
        continue;
      }
      const auto found =
          known.find(line.value("case", std::string()) + "/" + line.value("id", std::string()));
      if (found != known.end()) out.all.push_back({found->second, worker::resultFrom(line)});
    }
  } catch (const json::exception& problem) {
    throw Error(fmt::format("'{}' does not hold what a bundle holds: {}", folder, problem.what()), 2);
  } catch (const worker::ProtocolError& problem) {
    throw Error(fmt::format("'{}' does not hold what a bundle holds: {}", folder, problem.what()), 2);
  }
  return out;
}

void ingest(const BundleResults& results, Store& store) {
  for (const BundleResults::One& one : results.all) {
    const auto device = results.devices.find(one.variant.caseId);
    if (device == results.devices.end()) continue;
    StoredResult stored;
    stored.key = {one.variant.id, one.variant.caseId.substr(0, one.variant.caseId.find('#')),
                  device->second.name, device->second.driver};
    stored.kernel = one.variant.kernel;
    stored.recipe = one.variant.recipe;
    stored.sizes = one.variant.sizes;
    stored.predicted = one.variant.predicted;
    stored.result = one.result;
    store.put(stored);
    if (results.ceilings.isKnown())
      store.putCeilings(device->second.name, device->second.driver, results.ceilings);
  }
}

}  // namespace hone::tune
