// One device that kernels are built for and run on. Every failure is thrown as one of the errors below.
#pragma once

#include <memory>
#include <span>

#include "worker/Protocol.h"

namespace hone::worker {

struct BuildError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The driver refused a launch; the device is still good.
struct LaunchError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The device or its driver is in a state that only a new process mends.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Memory = uint64_t;  // a device's own handle of an allocation

// The built kernels of a variant.
class Program {
 public:
  virtual ~Program() = default;
};

// A launch with everything decided: one entry per parameter.
struct Argument {
  Memory memory = 0;  // with `offset` added, unless zero
  uint64_t offset = 0;
  std::span<const uint8_t> bytes;
  uint64_t localBytes = 0;
};
struct BoundLaunch {
  const LaunchSpec* spec = nullptr;
  std::vector<Argument> arguments;
  // Temporary memory that launch functions ask for before the first launch of a run, in bytes; what they had
  // is given back after the last.
  std::vector<uint64_t> asksFor = {};
  bool endsRun = false;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual DeviceInfo info() const = 0;
  virtual Conditions conditions() { return {}; }

  virtual Memory allocate(uint64_t bytes) = 0;
  virtual void release(Memory memory) = 0;
  virtual uint64_t freeBytes() = 0;
  virtual void upload(Memory to, const uint8_t* from, uint64_t bytes) = 0;
  virtual void download(uint8_t* to, Memory from, uint64_t bytes) = 0;
  virtual void copy(Memory to, Memory from, uint64_t bytes) = 0;  // in order with launches

  // Builds the source for the kernels that the launches name. Throws BuildError.
  virtual std::unique_ptr<Program> build(const VariantSpec& variant) = 0;
  virtual std::vector<KernelFigures> figures(Program& program, const VariantSpec& variant) = 0;
  // Milliseconds from the start of the first launch to the end of the last.
  virtual double run(Program& program, std::span<const BoundLaunch> launches) = 0;
};

// What is there, without opening it. A driver that is absent or broken gives no entry; why goes to `notes`.
std::vector<DeviceInfo> listDevices(std::vector<std::string>& notes);
// Throws DeviceError with what is wrong for an id that is not there.
std::unique_ptr<Device> openDevice(const std::string& id);

}  // namespace hone::worker
