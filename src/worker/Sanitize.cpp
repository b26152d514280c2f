#include "worker/Sanitize.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"

namespace hone::worker {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double kSeconds = 300;  // for one tool; kernels are many times slower under it

std::string sanitizer() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* home = std::getenv(variable))
      if (fs::path file = fs::path(home) / "bin" / "compute-sanitizer"; fs::exists(file))
        return file.string();
  for (const char* file : {"/usr/local/cuda/bin/compute-sanitizer", "/opt/cuda/bin/compute-sanitizer"})
    if (fs::exists(file)) return file;
  return "compute-sanitizer";
}

// A file that goes with the object.
struct LogFile {
  LogFile() : path((fs::temp_directory_path() / ("hone-sanitizer-" + std::to_string(getpid()))).string()) {}
  ~LogFile() {
    std::error_code error;
    fs::remove(path, error);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;
  std::string text() const {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  const std::string path;
};

// What went wrong with the conversation; empty: nothing.
std::string runOnce(ChildProcess& child, const json& opening, const json& job) {
  std::string line;
  for (const json& one : {opening, job}) {
    if (!child.write(one.dump()) || child.read(line, kSeconds) != ChildProcess::Read::Line)
      return "the variant did not end under it";
    const json answer = json::parse(line, nullptr, false);
    if (answer.is_object() && !answer.contains("case") &&
        answer.value("status", std::string()) != name(Status::Ok))
      return answer.value("message", std::string("no reason given"));
  }
  child.endsWithin(60);
  return "";
}

}  // namespace

json sanitize(const json& opening, const json& job, const std::vector<std::string>& serve) {
  json untimed = job, answer{{"id", textOf(job, "id")}};
  untimed["do"] = "measure";
  untimed["reference"] = true;  // it is compared with nothing here
  untimed["time"] = false;
  std::string said;
  for (const char* tool : {"memcheck", "racecheck"}) {
    LogFile log;
    std::string problem;
    try {
      std::vector<std::string> command{sanitizer(), "--tool", tool, "--log-file", log.path};
      command.insert(command.end(), serve.begin(), serve.end());
      ChildProcess child(command, true);
      problem = runOnce(child, opening, untimed);
    } catch (const std::runtime_error& error) {
      problem = error.what();
    }
    const std::string text = log.text();
    std::smatch found;
    if (!std::regex_search(text, found,
                           std::regex("(ERROR|RACECHECK) SUMMARY: ([0-9]+) (errors?|hazards?)"))) {
      answer["status"] = name(Status::Invalid);
      answer["message"] = std::string("compute-sanitizer ") + tool +
                          " has no result: " + (problem.empty() ? "it says nothing" : problem);
      return answer;
    }
    if (found[2] != "0") {
      answer["status"] = name(Status::Faulted);
      answer["message"] = std::string("compute-sanitizer ") + tool + ": " + text.substr(0, 2000);
      return answer;
    }
    said += std::string(said.empty() ? "" : ", ") + tool + ": nothing found";
  }
  answer["status"] = name(Status::Ok);
  answer["message"] = "compute-sanitizer " + said;
  return answer;
}

}  // namespace hone::worker
