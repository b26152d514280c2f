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

class Supervisor {
 public:
  Supervisor(std::ostream& to, const std::vector<std::string>& serve) : out(to), command(serve) {}

  void serve(const std::string& line) {
    json job;
    try {
      job = json::parse(line);
      const std::string what = job.is_object() ? job.value("do", std::string()) : "";
      if (what == "case")
        openCase(job);
      else if (what == "measure")
        measureOne(job);
      else if (what == "devices")
        say(ask(job, kOpenSeconds));
      else
        throw ProtocolError("a job says what to do: devices, case or measure");
    } catch (const json::exception& error) {
      say(failure(job, Status::Invalid, error.what()));
    } catch (const ProtocolError& error) {
      say(failure(job, Status::Invalid, error.what()));
    }
  }

 private:
  static json failure(const json& job, Status status, const std::string& message) {
    json out{{"status", name(status)}, {"message", message}};
    out["id"] = job.is_object() ? job.value("id", std::string()) : "";
    return out;
  }

  void say(const json& answer) {
    out << answer.dump(-1, ' ', false, json::error_handler_t::replace) << "\n";
    out.flush();
  }

  // The answer to a job, or what became of the process that should have given it.
  json ask(const json& job, double seconds) {
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

  void dropChild() {
    child->kill();
    child.reset();
    opened.clear();
  }

  void openCase(const json& job) {
    const CaseSpec spec = caseFrom(job);
    json answer = ask(job, kOpenSeconds);
    if (answer.contains("case")) {
      cases[spec.id] = {job, json()};
      opened = spec.id;
    }
    say(answer);
  }

  void measureOne(const json& job) {
    const VariantSpec variant = variantFrom(job);
    auto known = cases.find(variant.caseId);
    if (known == cases.end()) throw ProtocolError("case '" + variant.caseId + "' was not opened");
    if (opened != variant.caseId) {
      json answer = ask(known->second.opening, kOpenSeconds);
      if (answer.contains("case") && !known->second.original.is_null() && !variant.isReference)
        answer = ask(known->second.original, variant.timeoutSeconds);
      if (!answer.contains("case") && answer.value("status", std::string()) != name(Status::Ok))
        return say(
            failure(job, Status::Faulted,
                    "its case cannot be opened again: " + answer.value("message", std::string("no reason"))));
      opened = variant.caseId;
    }
    json answer = ask(job, variant.timeoutSeconds);
    if (variant.isReference && answer.value("status", std::string()) == name(Status::Ok)) {
      known->second.original = job;
      known->second.original["time"] = false;
    }
    say(answer);
  }

  struct KnownCase {
    json opening, original;
  };

  std::ostream& out;
  std::vector<std::string> command;
  std::unique_ptr<ChildProcess> child;
  std::string opened;  // the case that the child holds
  std::map<std::string, KnownCase> cases;
};

}  // namespace

int supervise(std::istream& jobs, std::ostream& results, const std::vector<std::string>& serve) {
  Supervisor supervisor(results, serve);
  std::string line;
  while (std::getline(jobs, line))
    if (!line.empty()) supervisor.serve(line);
  return 0;
}

}  // namespace hone::worker
