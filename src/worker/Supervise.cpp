#include "worker/Supervise.h"

#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"

namespace hone::worker {

using nlohmann::json;

namespace {

constexpr double kOpenSeconds = 120;  // for a driver to start and a case's arrays to be made

json failure(const json& job, Status status, const std::string& message) {
  json out{{"status", name(status)}, {"message", message}};
  out["id"] = job.is_object() ? job.value("id", std::string()) : "";
  return out;
}

}  // namespace

json Supervisor::answer(const json& job) {
  try {
    const std::string what = job.is_object() ? job.value("do", std::string()) : "";
    if (what == "case") return openCase(job);
    if (what == "measure") return measureOne(job);
    if (what == "devices") return ask(job, kOpenSeconds);
    throw ProtocolError("a job says what to do: devices, case or measure");
  } catch (const json::exception& error) {
    return failure(job, Status::Invalid, error.what());
  } catch (const ProtocolError& error) {
    return failure(job, Status::Invalid, error.what());
  }
}

// The answer to a job, or what became of the process that should have given it.
json Supervisor::ask(const json& job, double seconds) {
  if (!child) {
    child = std::make_unique<ChildProcess>(command);
    opened.clear();
  }
  std::string line;
  const bool heard = child->write(job.dump());
  const auto how = heard ? child->read(line, seconds) : ChildProcess::Read::Ended;
  if (how == ChildProcess::Read::Line) {
    const json answer = json::parse(line);
    if (answer.value("status", std::string()) == name(Status::Faulted)) dropChild();
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
  }
  return answer;
}

json Supervisor::measureOne(const json& job) {
  const VariantSpec variant = variantFrom(job);
  auto known = cases.find(variant.caseId);
  if (known == cases.end()) throw ProtocolError("case '" + variant.caseId + "' was not opened");
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

int supervise(std::istream& jobs, std::ostream& results, const std::vector<std::string>& serve) {
  Supervisor supervisor(serve);
  std::string line;
  while (std::getline(jobs, line)) {
    if (line.empty()) continue;
    json answer;
    try {
      answer = supervisor.answer(json::parse(line));
    } catch (const json::exception& error) {
      answer = failure(json(), Status::Invalid, error.what());
    }
    results << answer.dump(-1, ' ', false, json::error_handler_t::replace) << std::endl;
  }
  return 0;
}

}  // namespace hone::worker
