#include "worker/Supervise.h"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"
#include "worker/Sanitize.h"

namespace hone::worker {

using nlohmann::json;

namespace {

constexpr double kOpenSeconds = 120;  // for a driver to start and a case's arrays to be made

json failure(const json& job, Status status, const std::string& message) {
  json out{{"status", name(status)}, {"message", message}};
  out["id"] = job.is_object() && job.contains("id") && job["id"].is_primitive() ? job["id"] : json("");
  return out;
}

}  // namespace

json Supervisor::answer(const json& job) {
  try {
    const std::string what = textOf(job, "do");
    if (what == "case") return openCase(job);
    if (what == "measure") return measureOne(job);
    if (what == "devices") return ask(job, kOpenSeconds);
    if (what == "ceilings") {
      opened.clear();  // they need the memory that a case holds
      return ask(job, kOpenSeconds);
    }
    if (what == "sanitize") {
      const auto known = cases.find(job.at("case").get<std::string>());
      if (known == cases.end()) throw ProtocolError("its case was not opened");
      return sanitize(known->second.opening, job, command);
    }
    throw ProtocolError("a job says what to do: devices, case, measure, ceilings or sanitize");
  } catch (const json::exception& error) {
    return failure(job, Status::Invalid, error.what());
  } catch (const ProtocolError& error) {
    return failure(job, Status::Invalid, error.what());
  } catch (const std::exception& error) {
    return failure(job, Status::Faulted, error.what());
  }
}

// The answer to a job, or what became of the process that should have given it.
json Supervisor::ask(const json& job, double seconds) {
  if (!child) {
    child = std::make_unique<ChildProcess>(command, true);
    opened.clear();
  }
  std::string line;
  const bool heard = child->write(job.dump());
  const auto how = heard ? child->read(line, seconds) : ChildProcess::Read::Ended;
  if (how == ChildProcess::Read::Line) {
    const json answer = json::parse(line);
    if (textOf(answer, "status") == name(Status::Faulted)) dropChild();
    return answer;
  }
  const bool hung = how == ChildProcess::Read::TimedOut;
  if (hung) child->kill();
  const std::string ending = child->end();
  child.reset();
  opened.clear();
  if (hung)
    return failure(job, Status::TimedOut,
                   "no answer within " + std::to_string(static_cast<int>(seconds)) + " s");
  return failure(job, Status::Faulted, "the process that ran it ended: " + ending);
}

void Supervisor::dropChild() {
  child->kill();
  child.reset();
  opened.clear();
}

json Supervisor::openCase(const json& job) {
  const CaseSpec spec = caseFrom(job);
  json answer = ask(job, kOpenSeconds);
  if (answer.contains("case")) {
    cases[spec.id] = {job, json()};
    opened = spec.id;
    deviceOf[spec.id] = spec.device;
    const json& device = answer["device"];
    if (device.value("kind", std::string()) == "cuda")
      computeOf[spec.device] = device.value("compute", std::string());
  }
  return answer;
}

namespace {

std::string keyOf(const json& job) { return textOf(job, "case") + "/" + textOf(job, "id"); }

}  // namespace

void Supervisor::ahead(const json& job) {
  if (!job.is_object() || !compilers.isUseful()) return;
  try {
    const std::string what = textOf(job, "do");
    if (what == "case") deviceOf.emplace(job.at("id"), job.at("device"));
    if (what != "measure" || job.value("language", std::string("cuda")) != "cuda" || job.contains("image"))
      return;
    const auto device = deviceOf.find(job.at("case"));
    if (device == deviceOf.end()) return;
    const auto compute = computeOf.find(device->second);
    if (compute == computeOf.end()) return;
    std::set<std::string> kernels;
    for (const json& launch : job.at("launches")) kernels.insert(launch.at("kernel").get<std::string>());
    compilers.want(keyOf(job), {{"do", "compile"},
                                {"id", job.at("id")},
                                {"source", job.at("source")},
                                {"flags", job.value("flags", json::array())},
                                {"compute", compute->second},
                                {"kernels", kernels}});
  } catch (const json::exception&) {  // its turn will come, and what is wrong with it be said
  }
}

bool Supervisor::compiled(json& job, json& answer) {
  std::optional<json> made = compilers.take(keyOf(job));
  if (!made) return true;
  if (made->value("status", std::string()) != name(Status::Ok)) {
    answer = std::move(*made);
    answer["id"] = job.at("id");
    return false;
  }
  for (const char* part : {"image", "symbols", "image_ms"}) job[part] = (*made)[part];
  return true;
}

json Supervisor::measureOne(const json& given) {
  json job = given, refused;
  const VariantSpec variant = variantFrom(job);
  auto known = cases.find(variant.caseId);
  if (known == cases.end()) throw ProtocolError("case '" + variant.caseId + "' was not opened");
  if (!compiled(job, refused)) return refused;
  if (opened != variant.caseId) {
    json answer = ask(known->second.opening, kOpenSeconds);
    if (answer.contains("case") && !known->second.original.is_null() && !variant.isReference)
      answer = ask(known->second.original, variant.timeoutSeconds);
    if (!answer.contains("case") && answer.value("status", std::string()) != name(Status::Ok))
      return failure(job, Status::Faulted,
                     "its case cannot be opened again: " + answer.value("message", std::string("no reason")));
    opened = variant.caseId;
  }
  json answer = ask(job, variant.timeoutSeconds);
  if (variant.isReference && answer.value("status", std::string()) == name(Status::Ok)) {
    known->second.original = job;
    known->second.original["time"] = false;
  }
  return answer;
}

namespace {

// Lines of a stream, read as they come, so that jobs can be seen before their turn.
class LinesAhead {
 public:
  explicit LinesAhead(std::istream& from) {
    from.tie(nullptr);  // else reading here would flush what is being written elsewhere
    reader = std::thread([this, &from] {
      for (std::string line; readLine(from, line);) {
        std::lock_guard lock(guard);
        lines.push_back(std::move(line));
        changed.notify_one();
      }
      std::lock_guard lock(guard);
      isEnded = true;
      changed.notify_one();
    });
  }
  ~LinesAhead() { reader.join(); }
  LinesAhead(const LinesAhead&) = delete;
  LinesAhead& operator=(const LinesAhead&) = delete;

  // All that came since the last call; waits for some where `wait` says so. Nothing: the stream has ended.
  std::optional<std::vector<std::string>> take(bool wait) {
    std::unique_lock lock(guard);
    if (wait) changed.wait(lock, [&] { return isEnded || !lines.empty(); });
    if (wait && lines.empty()) return std::nullopt;
    return std::exchange(lines, {});
  }

 private:
  std::mutex guard;
  std::condition_variable changed;
  std::vector<std::string> lines;
  bool isEnded = false;
  std::thread reader;
};

}  // namespace

int supervise(std::istream& jobs, std::ostream& results, const std::vector<std::string>& serve) {
  Supervisor supervisor(serve);
  LinesAhead lines(jobs);
  std::deque<json> waiting;
  size_t offered = 0;  // of those waiting, so many were handed to `ahead`
  for (;;) {
    const auto more = lines.take(waiting.empty());
    if (!more) return 0;
    for (const std::string& line : *more)
      if (!line.empty()) waiting.push_back(parseLine(line));
    if (waiting.empty()) continue;
    // What the case's device compiles is known once it is open.
    const bool opens = textOf(waiting.front(), "do") == "case";
    for (; !opens && offered < waiting.size() && offered < supervisor.jobsAhead() + 1; ++offered)
      if (offered > 0) supervisor.ahead(waiting[offered]);
    const json job = std::move(waiting.front());
    waiting.pop_front();
    offered -= offered > 0;
    const json answer = job.is_discarded() ? failure(json(), Status::Invalid, "this line is no JSON")
                                           : supervisor.answer(job);
    results << answer.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
    // Whoever asked is gone, and with it the use of what it still asked for.
    if (!results) std::_Exit(1);
  }
}

}  // namespace hone::worker
