// Several workers that share the variants of a case. One that ends is started again and goes on with what it
// had; a variant that costs two workers is given up.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>

#include "device/WorkerClient.h"

namespace hone::device {

class WorkerTeam {
 public:
  // Workers are started when they are needed. `note` is told what becomes of them.
  WorkerTeam(std::vector<WorkerAddress> addresses, std::function<void(const std::string&)> note);

  // The first worker's device of this kind ("cuda", "opencl"). Workers that have none of the same name and
  // driver are left out: times are only compared within equal devices. Throws hone::Error when none has one.
  const worker::DeviceInfo& choose(const std::string& kind);

  // Variants that are measured next belong to this case. `original` runs first on each worker, untimed, once
  // its id is known.
  void setCase(const worker::CaseSpec& spec);
  void setOriginal(const worker::VariantSpec& original);

  // What the device reaches at most, measured now; nothing from workers that cannot say.
  worker::Ceilings ceilings();

  // A variant of the case under compute-sanitizer, where there is one: ok, faulted or invalid, with a
  // message.
  worker::Result sanitize(const worker::VariantSpec& variant);

  // How many variants can be under way at once.
  size_t room() const;

  // The next variant, filled in; false when there is none for now. Called again after each result.
  using Next = std::function<bool(worker::VariantSpec&)>;
  // `tag` counts what `next` gave, from 0. A result without an id comes from no worker: too many ended over
  // the variant.
  using Done = std::function<void(size_t tag, const worker::Result&)>;
  // Returns when all that `next` gave is done and it has no more. Throws hone::Error when no worker is left.
  void measure(const Next& next, const Done& done);

 private:
  struct Sent {
    enum class Kind : uint8_t { Devices, Ceilings, Sanitize, Case, Original, Variant } kind;
    size_t tag = 0;
    double seconds = 0;  // for the answer
  };
  struct Member {
    WorkerAddress address;
    std::string name = {};  // its command
    std::unique_ptr<WorkerClient> client = {};
    std::optional<WorkerClient::Devices> there = {};  // once it has said so
    worker::DeviceInfo device = {};                   // the one that is used; no id: none yet
    std::string openCase = {};                        // the case that was sent
    bool isPrepared = false;                          // the original was sent
    bool isGone = false;
    int endings = 0;  // without a result in between
    std::deque<Sent> sent = {};
    std::chrono::steady_clock::time_point since = {};  // when the first of `sent` became the first
  };
  struct Job {
    worker::VariantSpec variant;
    int lost = 0;  // workers that ended over it
  };

  void start(Member& member);
  void pickDevice(Member& member);
  void openAt(Member& member);
  static size_t roomOf(const Member& member);
  size_t variantsAt(const Member& member) const;
  void give(Member& member, size_t tag);
  void send(Member& member, Sent::Kind kind, size_t tag, const std::string& line, double seconds);
  void receive(Member& member, const Done& done);
  void take(Member& member, const Sent& what, const std::string& line, const Done& done);
  void takeBack(Member& member, bool isItsFault, const std::string& why, const Done& done);
  void lose(Member& member, const std::string& why, const Done& done);   // it ended, and is started again
  void leave(Member& member, const std::string& why, const Done& done);  // it is of no use
  void wait(const Done& done);
  bool anyLeft() const;

  std::vector<Member> members;
  std::function<void(const std::string&)> note;
  std::string kindWanted;
  std::optional<worker::DeviceInfo> common;  // that of all members
  std::string lastTrouble;
  worker::Ceilings reached;
  worker::Result sanitized;
  worker::CaseSpec theCase;
  worker::VariantSpec theOriginal;
  std::map<size_t, Job> jobs;      // under way or waiting, by tag
  std::deque<size_t> waitingJobs;  // taken back from a worker that ended
};

}  // namespace hone::device
