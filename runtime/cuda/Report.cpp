// What was found, at the program's end.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "LastWords.h"
#include "Runtime.h"
#include "ir/CountOf.h"

namespace hone::cuda {

namespace {

bool sameFinding(const sim::Finding& a, const sim::Finding& b) {
  return a.kind == b.kind && a.cls == b.cls && a.kernel == b.kernel && a.party.file == b.party.file &&
         a.party.line == b.party.line && a.other.line == b.other.line && a.array == b.array;
}

nlohmann::ordered_json toJson(const sim::Finding& f) {
  nlohmann::ordered_json j;
  j["kind"] = sim::str(f.kind);
  j["class"] = sim::str(f.cls);
  j["kernel"] = f.kernel;
  j["file"] = f.party.file;
  j["line"] = f.party.line;
  if (f.hasOther) {
    j["other_file"] = f.other.file;
    j["other_line"] = f.other.line;
  }
  j["array"] = f.array;
  j["index"] = f.index;
  j["thread"] = f.party.who.thread;
  j["block"] = f.party.who.block;
  j["count"] = f.count;
  j["message"] = f.message;
  return j;
}

nlohmann::ordered_json profileOf(const KernelEntry& e) {
  const sim::MemoryCount& m = e.memory;
  nlohmann::ordered_json j;
  j["kernel"] = e.bundled.name;
  j["launches"] = e.launches;
  j["estimated_ms"] = e.milliseconds;
  j["limited_by_ms"] = e.limiters;
  j["warp_instructions"] = e.warpInstructions;
  j["active_lanes"] =
      e.warpInstructions ? double(e.laneInstructions) / (32.0 * double(e.warpInstructions)) : 0;
  j["global_requests"] = m.globalRequests();
  j["sectors"] = m.sectors;
  j["minimum_sectors"] = m.minimumSectors;
  j["l2_sectors"] = m.l2Sectors;
  j["dram_sectors"] = m.dramSectors;
  j["shared_requests"] = m.sharedRequests;
  j["shared_wavefronts"] = m.wavefronts;
  j["minimum_wavefronts"] = m.minimumWavefronts;
  j["barriers"] = e.barriers;
  return j;
}

std::string textOf(const nlohmann::ordered_json& j) {
  return j.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// What runtimes above this one know of races, by kernel and array. Under the runtime's mutex.
std::map<std::pair<std::string, std::string>, std::string>& raceHints() {
  static auto* const only = new std::map<std::pair<std::string, std::string>, std::string>;
  return *only;
}

}  // namespace

void Runtime::add(sim::Finding finding) {
  // A forked process has its own; what it begins with its parent says.
  if (const int now = getpid(); now != process) {
    process = now;
    findings.clear();
  }
  if (finding.kind == sim::FindingKind::Race || finding.kind == sim::FindingKind::MissingWarpSync)
    if (const auto hint = raceHints().find({finding.kernel, finding.array}); hint != raceHints().end())
      finding.message += "; " + hint->second;
  for (sim::Finding& f : findings)
    if (sameFinding(f, finding)) {
      f.count += finding.count;
      return;
    }
  findings.push_back(std::move(finding));
}

void Runtime::report(sim::Finding finding) { report(std::vector{std::move(finding)}); }

void Runtime::report(std::vector<sim::Finding> found) {
  if (found.empty()) return;
  for (sim::Finding& f : found) add(std::move(f));
  LastWords words;
  words.process = process;
  words.text = textOfFindings();
  words.jsonFile = settings.json;
  if (!settings.json.empty()) words.json = jsonOfFindings();
  words.fails = hasFailed();
  prepareLastWords(std::move(words));
}

bool Runtime::hasFailed() const {
  return std::any_of(findings.begin(), findings.end(), [&](const sim::Finding& f) {
    return f.cls != sim::FindingClass::SameValue &&
           (settings.failOn.count("any") || settings.failOn.count(sim::str(f.kind)));
  });
}

std::string Runtime::textOfFindings() const {
  if (findings.empty() || settings.quiet) return "";
  uint64_t count = 0;
  std::string text;
  for (const sim::Finding& f : findings) {
    count += f.count;
    text += sim::format(f) + "\n";
  }
  return text + fmt::format("hone: {}, seen {}\n", hone::ir::countOf(findings.size(), "finding"),
                            hone::ir::countOf(count, "time"));
}

std::string Runtime::jsonOfFindings() const {
  nlohmann::ordered_json all;
  all["findings"] = nlohmann::ordered_json::array();
  for (const sim::Finding& f : findings) all["findings"].push_back(toJson(f));
  all["kernels"] = nlohmann::ordered_json::array();
  for (const auto& e : entries)
    if (e->launches)
      all["kernels"].push_back(
          {{"kernel", e->bundled.name}, {"launches", e->launches}, {"estimated_ms", e->milliseconds}});
  return textOf(all);
}

int Runtime::finish(int status) {
  if (finished) return status;
  finished = true;
  recorder.close();
  synchronizeGuards();
  if (getpid() != process) findings.clear();
  if (settings.leaks)
    for (const auto& [base, b] : device.memory.buffers()) {
      bool isVariable = false;
      for (const auto& [host, s] : symbols) isVariable |= s.address == base;
      if (isVariable || b->readOnly) continue;
      sim::Finding f;
      f.kind = sim::FindingKind::Leak;
      f.array = b->name;
      f.message = fmt::format("{} was never freed", b->name);
      findings.push_back(std::move(f));
    }
  std::fflush(stdout);
  std::fputs(textOfFindings().c_str(), stderr);
  dropLastWords();
  const auto writeFile = [](const std::string& path, const std::string& text) {
    FILE* out = std::fopen(path.c_str(), "w");
    if (!out) {
      std::fprintf(stderr, "hone: cannot write %s\n", path.c_str());
      return;
    }
    std::fputs(text.c_str(), out);
    std::fclose(out);
  };
  if (!settings.profile.empty()) {
    nlohmann::ordered_json all;
    all["target"] = target.name;
    all["kernels"] = nlohmann::ordered_json::array();
    for (const auto& e : entries)
      if (e->launches) all["kernels"].push_back(profileOf(*e));
    writeFile(settings.profile, textOf(all));
  }
  if (!settings.json.empty()) writeFile(settings.json, jsonOfFindings());
  return hasFailed() ? 1 : status;
}

}  // namespace hone::cuda

// For runtimes above this one: said of races of the kernel in the array.
extern "C" void hone_explain_races(const char* kernel, const char* array, const char* words) {
  std::lock_guard lock(hone::cuda::Runtime::get().mutex);
  hone::cuda::raceHints()[{kernel, array}] = words;
}
