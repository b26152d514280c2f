#include "worker/RunBundle.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "worker/Protocol.h"
#include "worker/Supervise.h"

namespace hone::worker {

using nlohmann::json;

namespace {

// A file of JSON lines that is only ever appended to. A line that was cut off when its writer was killed is
// dropped.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path) {
    std::string whole;
    {
      std::ifstream in(path, std::ios::binary);
      whole.assign(std::istreambuf_iterator<char>(in), {});
    }
    const size_t end = whole.rfind('\n');
    const size_t kept = end == std::string::npos ? 0 : end + 1;
    for (size_t at = 0; at < kept;) {
      const size_t next = whole.find('\n', at);
      const json line = parseLine(whole.substr(at, next - at));
      if (line.is_object()) lines.push_back(line);
      at = next + 1;
    }
    if (kept < whole.size() && truncate(path.c_str(), static_cast<off_t>(kept)) != 0)
      throw std::runtime_error("'" + path + "' cannot be mended: " + std::strerror(errno));
    file = std::fopen(path.c_str(), "ab");
    if (!file) throw std::runtime_error("'" + path + "' cannot be written: " + std::strerror(errno));
  }
  ~ResultFile() { std::fclose(file); }
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  std::vector<json> lines;  // those that were there

  void append(const json& line) {
    const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0 ||
        fsync(fileno(file)) != 0)
      throw std::runtime_error(std::string("a result cannot be written: ") + std::strerror(errno));
  }

 private:
  std::FILE* file = nullptr;
};

// Microseconds; 0: it was not timed.
double medianOf(const json& result) {
  return result.contains("time") ? numberOf(result["time"], "median_us") : 0;
}

// A bundle brings its files along: one that names others is not to be trusted with them.
std::string fileOutside(const json& opening) {
  if (!opening.is_object() || !opening.contains("arrays") || !opening["arrays"].is_array()) return "";
  for (const json& array : opening["arrays"]) {
    const std::filesystem::path file = textOf(array, "file");
    if (file.is_absolute() || std::find(file.begin(), file.end(), "..") != file.end()) return file.string();
  }
  return "";
}

struct CaseState {
  json opening;
  bool isOpen = false, isBroken = false;
  double best = 0;  // microseconds
};

}  // namespace

int runBundle(const BundleRun& run, const std::vector<std::string>& serve) {
  std::ifstream in(run.jobs);
  if (!in) throw std::runtime_error("'" + run.jobs + "' cannot be read: " + std::strerror(errno));
  std::vector<json> jobs;
  for (std::string line; readLine(in, line);)
    if (json job = parseLine(line); job.is_object()) jobs.push_back(std::move(job));
  ResultFile results(run.results);
  std::map<std::string, json> known;  // results by case and id
  auto keyOf = [](const json& one) { return textOf(one, "case") + "/" + textOf(one, "id"); };
  for (const json& line : results.lines)
    if (line.contains("status")) known[keyOf(line)] = line;

  const auto begin = std::chrono::steady_clock::now();
  Supervisor supervisor(serve);
  std::map<std::string, CaseState> cases;
  const bool hasCeilings = std::any_of(results.lines.begin(), results.lines.end(),
                                       [](const json& line) { return line.contains("ceilings"); });
  size_t done = 0, total = 0, measured = 0;
  for (const json& job : jobs) total += textOf(job, "do") == "measure";
  for (const json& job : jobs)
    if (textOf(job, "do") == "case") supervisor.ahead(job);
  size_t offered = 0;  // jobs before this one need no look ahead any more
  for (size_t number = 0; number < jobs.size(); ++number) {
    json& job = jobs[number];
    const std::string what = textOf(job, "do");
    if (what == "case") cases[textOf(job, "id")].opening = job;
    if (what == "ceilings" && !hasCeilings) {
      const json answer = supervisor.answer(job);
      if (answer.contains("ceilings")) results.append(answer);
    }
    if (what != "measure") continue;
    ++done;
    const std::string caseId = textOf(job, "case");
    CaseState& state = cases[caseId];
    const bool isReference = flagOf(job, "reference");
    auto noteTime = [&](const json& result) {
      const double time = medianOf(result);
      if (textOf(result, "status") == name(Status::Ok) && time > 0 && (state.best == 0 || time < state.best))
        state.best = time;
    };
    const auto found = known.find(keyOf(job));
    if (found != known.end()) noteTime(found->second);
    // The original runs again in a new process, without being timed: the others are compared with what it
    // leaves.
    if (found != known.end() && !isReference) continue;
    const double minutes =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 60;
    if (run.minutes > 0 && minutes > run.minutes) {
      std::cerr << "ended after " << run.minutes << " minutes with " << total - done + 1
                << " variants left\n";
      return 0;
    }
    if (state.isBroken) continue;
    if (const std::string file = state.isOpen ? "" : fileOutside(state.opening); !file.empty()) {
      state.isBroken = true;
      std::cerr << "case " << caseId << " is left out: '" << file << "' lies outside of the bundle\n";
      continue;
    }
    if (!state.isOpen) {
      const json answer = supervisor.answer(state.opening);
      state.isOpen = answer.contains("case");
      if (!state.isOpen) {
        state.isBroken = true;
        std::cerr << "case " << caseId << " cannot be opened: " << textOf(answer, "message") << "\n";
        continue;
      }
      results.append(answer);
    }
    if (found != known.end()) job["time"] = false;
    if (state.best > 0 && !isReference) job["give_up_above_us"] = state.best * run.giveUpFactor;
    for (offered = std::max(offered, number);
         offered < jobs.size() && offered < number + supervisor.jobsAhead(); ++offered)
      if (!known.contains(keyOf(jobs[offered]))) supervisor.ahead(jobs[offered]);
    json result = supervisor.answer(job);
    result["case"] = caseId;
    if (isReference && textOf(result, "status") != name(Status::Ok)) state.isBroken = true;
    if (found == known.end()) {
      results.append(result);
      ++measured;
    }
    noteTime(result);
    const double time = medianOf(result);
    std::cerr << done << "/" << total << " "
              << (textOf(job, "title").empty() ? textOf(job, "id") : textOf(job, "title")) << ": "
              << textOf(result, "status");
    if (time > 0) std::cerr << " " << time << " us, best " << state.best << " us";
    std::cerr << "\n";
  }
  std::cerr << measured << " measured, " << total - measured << " known or left out\n";
  return 0;
}

}  // namespace hone::worker
