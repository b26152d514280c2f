// A conversation with hone-worker, on this machine or wherever a command starts one.
#pragma once

#include <memory>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"

namespace hone::device {

// "worker:COMMAND" starts COMMAND in a shell; anything else names a device of this machine, reached through
// the hone-worker that lies beside this program (HONE_WORKER names another one).
struct WorkerAddress {
  std::vector<std::string> command;
  std::string device;  // "cuda:0"; empty: to be chosen from those that are there
};
// "", "cuda", "opencl:0:1", "worker:ssh gpu01 hone-worker"; "embedded", which has no command. Throws
// hone::Error for what is none of these.
WorkerAddress workerAddress(const std::string& text);

// A worker starts drivers before its first answer, and a queueing system may let it wait before that.
inline constexpr double kOpenSeconds = 600;

class WorkerClient {
 public:
  explicit WorkerClient(const WorkerAddress& address);  // throws hone::Error when it does not start
  ~WorkerClient();                                      // lets it end by itself, if it does so soon
  WorkerClient(const WorkerClient&) = delete;
  WorkerClient& operator=(const WorkerClient&) = delete;

  struct Devices {
    std::vector<worker::DeviceInfo> devices;
    std::vector<std::string> notes;  // why a kind of device is absent
  };
  Devices devices();  // asks; throws hone::Error

  // Sends a line; when it cannot be sent the next `receive` says so.
  void send(const std::string& line) { process.write(line); }
  // A line that came, waited for so long.
  worker::ChildProcess::Read receive(std::string& line, double seconds) {
    return process.read(line, seconds);
  }
  int handle() const { return process.handle(); }
  std::string ending();  // "the worker 'ssh gpu01 hone-worker' ended: exit status 3"
  const std::string& name() const { return command; }
  static const char* devicesJob() { return R"({"do":"devices"})"; }
  Devices devicesFrom(const std::string& line) const;  // throws hone::Error when this is no worker's answer

 private:
  std::string command;
  worker::ChildProcess process;
};

}  // namespace hone::device
