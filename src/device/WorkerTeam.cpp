#include "device/WorkerTeam.h"

#include <fmt/core.h>
#include <poll.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/Error.h"

namespace hone::device {

using nlohmann::json;
using Clock = std::chrono::steady_clock;
using worker::ChildProcess;

namespace {

// A worker starts drivers and makes arrays before its first answers, and a queueing system may let it wait
// before that. The worker keeps a variant's time limit itself; this is for a worker that is gone.
constexpr double kSpareSeconds = 300;
constexpr int kMostEndings = 2;  // in a row
constexpr int kMostLost = 2;     // workers for one variant
// A worker compiles CUDA variants while it times others, if it knows them. With OpenCL the device may be the
// CPU, which is left in peace.
constexpr size_t kCudaAhead = 6;

double secondsSince(Clock::time_point time) {
  return std::chrono::duration<double>(Clock::now() - time).count();
}

}  // namespace

WorkerTeam::WorkerTeam(std::vector<WorkerAddress> addresses, std::function<void(const std::string&)> teller)
    : note(std::move(teller)) {
  for (WorkerAddress& address : addresses) members.push_back({std::move(address)});
}

void WorkerTeam::start(Member& member) {
  member.name = member.address.command.empty() ? "" : member.address.command.back();
  member.client.reset();
  member.there.reset();
  member.openCase.clear();
  member.isPrepared = false;
  member.sent.clear();
  member.device = {};
  member.client = std::make_unique<WorkerClient>(member.address);
  send(member, Sent::Kind::Devices, 0, WorkerClient::devicesJob(), kOpenSeconds);
}

const worker::DeviceInfo& WorkerTeam::choose(const std::string& kind) {
  if (kind != kindWanted) {
    kindWanted = kind;
    common.reset();
    for (Member& member : members) {
      member.device = {};
      member.openCase.clear();
    }
  }
  const Done nothing = [](size_t, const worker::Result&) {};
  for (Member& member : members) try {
      if (!member.client && !member.isGone) start(member);
    } catch (const Error& error) {
      leave(member, error.what(), nothing);
    }
  // The first one decides; the others may come later.
  for (;;) {
    for (Member& member : members)
      if (!member.isGone && member.there && member.device.id.empty()) pickDevice(member);
    if (common) return *common;
    if (!anyLeft()) throw Error(lastTrouble, 2);
    wait(nothing);
  }
}

// Sets the device of a member that has said what it has, or leaves it.
void WorkerTeam::pickDevice(Member& member) {
  const std::string& wanted = member.address.device;
  for (const Member& other : members) {
    if (common || &other == &member) break;
    if (!other.isGone) return;  // it comes first, and decides
  }
  std::string there;
  for (const worker::DeviceInfo& one : member.there->devices) {
    there += (there.empty() ? "" : ", ") + one.id;
    if (!member.device.id.empty() || one.kind != kindWanted) continue;
    if (!wanted.empty() && one.id != wanted && one.kind != wanted) continue;
    if (common && (one.name != common->name || one.driver != common->driver)) continue;
    member.device = one;
  }
  const Done nothing = [](size_t, const worker::Result&) {};
  if (!member.device.id.empty()) {
    if (!common) common = member.device;
    return;
  }
  if (common) {
    std::string has;
    for (const worker::DeviceInfo& one : member.there->devices)
      if (one.kind == kindWanted)
        has += fmt::format("{}{} ({})", has.empty() ? "" : ", ", one.name, one.driver);
    return leave(
        member,
        fmt::format(
            "the worker '{}' is left out: times are only compared on equal devices, {} ({}), and it has {}",
            member.name, common->name, common->driver, has.empty() ? "none of that kind" : has),
        nothing);
  }
  leave(member,
        fmt::format(
            "there is no {} device{}; there {}", kindWanted == "opencl" ? "OpenCL" : "CUDA",
            wanted.empty() ? "" : " '" + wanted + "'",
            there.empty() ? "is none at all (--device embedded estimates without one)" : "are: " + there),
        nothing);
}

void WorkerTeam::setCase(const worker::CaseSpec& spec) {
  theCase = spec;
  theOriginal = {};
}

void WorkerTeam::setOriginal(const worker::VariantSpec& original) { theOriginal = original; }

worker::Ceilings WorkerTeam::ceilings() {
  reached = {};
  for (Member& member : members) {
    if (roomOf(member) == 0) continue;
    member.openCase.clear();  // its arrays make room
    send(member, Sent::Kind::Ceilings, 0, json{{"do", "ceilings"}, {"device", member.device.id}}.dump(),
         kOpenSeconds);
    auto isAsked = [](const Sent& one) { return one.kind == Sent::Kind::Ceilings; };
    while (std::any_of(member.sent.begin(), member.sent.end(), isAsked))
      wait([](size_t, const worker::Result&) {});
    break;
  }
  return reached;
}

worker::Result WorkerTeam::sanitize(const worker::VariantSpec& variant) {
  sanitized = {};
  sanitized.status = worker::Status::Invalid;
  sanitized.message = "no worker is left";
  for (Member& member : members) {
    if (roomOf(member) == 0) continue;
    openAt(member);
    json job = variant;
    job["do"] = "sanitize";
    send(member, Sent::Kind::Sanitize, 0, job.dump(), kOpenSeconds + kSpareSeconds);
    sanitized.message = "the worker ended";
    auto isAsked = [](const Sent& one) { return one.kind == Sent::Kind::Sanitize; };
    while (std::any_of(member.sent.begin(), member.sent.end(), isAsked))
      wait([](size_t, const worker::Result&) {});
    break;
  }
  return sanitized;
}

size_t WorkerTeam::roomOf(const Member& member) {
  if (member.isGone || member.device.id.empty()) return 0;
  return member.device.kind == "cuda" ? kCudaAhead : 1;
}

size_t WorkerTeam::room() const {
  size_t out = 0;
  for (const Member& member : members) out += roomOf(member);
  return std::max<size_t>(1, out);
}

size_t WorkerTeam::variantsAt(const Member& member) const {
  return static_cast<size_t>(std::count_if(member.sent.begin(), member.sent.end(),
                                           [](const Sent& one) { return one.kind == Sent::Kind::Variant; }));
}

bool WorkerTeam::anyLeft() const {
  return std::any_of(members.begin(), members.end(), [](const Member& one) { return !one.isGone; });
}

void WorkerTeam::measure(const Next& next, const Done& done) {
  size_t nextTag = 0;
  for (;;) {
    bool isIdle = false;  // some worker had room and there was nothing for it
    for (bool gave = true; gave;) {
      gave = false;
      for (Member& member : members) {
        if (variantsAt(member) >= roomOf(member)) continue;
        size_t tag = nextTag;
        if (!waitingJobs.empty()) {
          tag = waitingJobs.front();
          waitingJobs.pop_front();
        } else {
          Job job;
          isIdle = !next(job.variant);
          if (isIdle) break;
          jobs[nextTag++] = std::move(job);
        }
        give(member, tag);
        gave = true;
      }
      if (isIdle) break;
    }
    if (jobs.empty() && isIdle) return;
    if (!anyLeft()) {
      jobs.clear();
      waitingJobs.clear();
      throw Error(lastTrouble, 2);
    }
    wait(done);
  }
}

void WorkerTeam::openAt(Member& member) {
  if (member.openCase == theCase.id) return;
  worker::CaseSpec spec = theCase;
  spec.device = member.device.id;
  send(member, Sent::Kind::Case, 0, json(spec).dump(), kOpenSeconds);
  member.openCase = theCase.id;
  member.isPrepared = false;
}

void WorkerTeam::give(Member& member, size_t tag) {
  const worker::VariantSpec& variant = jobs.at(tag).variant;
  openAt(member);
  if (!member.isPrepared && !variant.isReference && !theOriginal.id.empty()) {
    worker::VariantSpec untimed = theOriginal;
    untimed.timeIt = false;
    send(member, Sent::Kind::Original, 0, json(untimed).dump(), untimed.timeoutSeconds + kSpareSeconds);
  }
  member.isPrepared = true;
  send(member, Sent::Kind::Variant, tag, json(variant).dump(), variant.timeoutSeconds + kSpareSeconds);
}

void WorkerTeam::send(Member& member, Sent::Kind kind, size_t tag, const std::string& line, double seconds) {
  if (member.sent.empty()) member.since = Clock::now();
  member.sent.push_back({kind, tag, seconds});
  member.client->send(line);
}

// Waits until a worker says something, ends or is silent for too long, and takes that.
void WorkerTeam::wait(const Done& done) {
  std::vector<pollfd> waiting;
  std::vector<Member*> whose;
  double most = 60;
  for (Member& member : members) {
    if (member.isGone || member.sent.empty()) continue;
    waiting.push_back({member.client->handle(), POLLIN, 0});
    whose.push_back(&member);
    most = std::clamp(member.sent.front().seconds - secondsSince(member.since), 0.01, most);
  }
  poll(waiting.data(), waiting.size(), static_cast<int>(most * 1000));
  for (size_t i = 0; i < waiting.size(); ++i)
    if (waiting[i].revents || secondsSince(whose[i]->since) > whose[i]->sent.front().seconds)
      receive(*whose[i], done);
}

void WorkerTeam::receive(Member& member, const Done& done) {
  for (double seconds = 0.001; !member.isGone && !member.sent.empty(); seconds = 0) {
    std::string line;
    const Sent what = member.sent.front();
    switch (member.client->receive(line, seconds)) {
      case ChildProcess::Read::Line:
        member.sent.pop_front();
        member.since = Clock::now();
        take(member, what, line, done);
        break;
      case ChildProcess::Read::Ended: return lose(member, member.client->ending(), done);
      case ChildProcess::Read::TimedOut:
        if (secondsSince(member.since) > what.seconds)
          lose(member, fmt::format("the worker '{}' does not answer", member.name), done);
        return;
    }
  }
}

void WorkerTeam::take(Member& member, const Sent& what, const std::string& line, const Done& done) {
  const json answer = json::parse(line, nullptr, false);
  const std::string message =
      answer.is_object() ? answer.value("message", std::string("no reason given")) : "no reason given";
  switch (what.kind) {
    case Sent::Kind::Devices: try { member.there = member.client->devicesFrom(line);
      } catch (const Error& error) {
        return leave(member, error.what(), done);
      }
      return pickDevice(member);
    case Sent::Kind::Ceilings:
      try {
        if (answer.is_object() && answer.contains("ceilings"))
          reached = worker::ceilingsFrom(answer.at("ceilings"));
      } catch (const worker::ProtocolError&) {  // then nobody knows
      }
      return;
    case Sent::Kind::Sanitize: try { sanitized = worker::resultFrom(answer);
      } catch (const worker::ProtocolError& error) {
        sanitized.message = error.what();
      }
      return;
    case Sent::Kind::Case:
      if (!answer.is_object() || !answer.contains("case"))
        leave(member, fmt::format("the worker '{}' cannot set up the arrays: {}", member.name, message),
              done);
      return;
    case Sent::Kind::Original:
      if (!answer.is_object() || answer.value("status", std::string()) != name(worker::Status::Ok))
        leave(member, fmt::format("the worker '{}' cannot run the original: {}", member.name, message), done);
      return;
    case Sent::Kind::Variant: break;
  }
  worker::Result result;
  try {
    result = worker::resultFrom(answer);
  } catch (const worker::ProtocolError& error) {
    member.sent.push_front(what);
    return leave(member,
                 fmt::format("the worker '{}' answers what cannot be read: {}", member.name, error.what()),
                 done);
  }
  member.endings = 0;
  jobs.erase(what.tag);
  done(what.tag, result);
}

void WorkerTeam::takeBack(Member& member, bool isItsFault, const std::string& why, const Done& done) {
  std::optional<size_t> givenUp;
  if (isItsFault && !member.sent.empty() && member.sent.front().kind == Sent::Kind::Variant &&
      ++jobs.at(member.sent.front().tag).lost >= kMostLost) {
    givenUp = member.sent.front().tag;
    member.sent.pop_front();
  }
  for (auto one = member.sent.rbegin(); one != member.sent.rend(); ++one)
    if (one->kind == Sent::Kind::Variant) waitingJobs.push_front(one->tag);
  member.sent.clear();
  if (!givenUp) return;
  worker::Result result;
  result.status = worker::Status::Faulted;
  result.message = fmt::format("{} workers ended over it; {}", kMostLost, why);
  jobs.erase(*givenUp);
  done(*givenUp, result);
}

void WorkerTeam::lose(Member& member, const std::string& why, const Done& done) {
  lastTrouble = why;
  if (!member.there || ++member.endings > kMostEndings) return leave(member, why, done);
  takeBack(member, true, why, done);
  note(fmt::format("{}; it is started again", why));
  try {
    start(member);
  } catch (const Error& error) {
    leave(member, error.what(), done);
  }
}

void WorkerTeam::leave(Member& member, const std::string& why, const Done& done) {
  lastTrouble = why;
  member.isGone = true;
  takeBack(member, false, why, done);
  member.client.reset();
  if (anyLeft()) note(why);
}

}  // namespace hone::device
