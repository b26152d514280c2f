// A conversation with hone-worker, on this machine or wherever a command starts one.
#pragma once

#include <memory>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"

namespace hone::device {

// "worker:COMMAND" starts COMMAND in a shell; anything else names a device of this machine, reached through the hone-worker
// that lies beside this program (HONE_WORKER names another one).
struct WorkerAddress {
  std::vector<std::string> command;
  std::string device;  // "cuda:0"; empty: to be chosen from those that are there
};
// "", "cuda", "opencl:0:1", "worker:ssh gpu01 hone-worker"; "embedded", which has no command. Throws hone::Error for what is none of these.
WorkerAddress workerAddress(const std::string& text);

class WorkerClient {
 public:
  explicit WorkerClient(const WorkerAddress& address);  // throws hone::Error when it does not start

  struct Devices {
    std::vector<worker::DeviceInfo> devices;
    std::vector<std::string> notes;  // why a kind of device is absent
  };
  Devices devices();

  // The case's device and how many sets of arrays fit. Throws hone::Error with the worker's reason.
  worker::DeviceInfo open(const worker::CaseSpec& spec);
  worker::Result measure(const worker::VariantSpec& variant);
  // What a device reaches at most; nothing from a worker that cannot say. A case that was open is no longer.
  worker::Ceilings ceilings(const std::string& device);

 private:
  std::string ask(const std::string& job, double seconds);

  std::string command;
  worker::ChildProcess process;
};

}  // namespace hone::device
