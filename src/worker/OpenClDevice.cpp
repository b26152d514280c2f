#include "worker/OpenClDevice.h"

#include <algorithm>
#include <map>

#include "worker/OpenClApi.h"

namespace hone::worker {

namespace {

// Numbers that OpenCL gives to what is asked for.
enum : unsigned {
  kPlatformName = 0x0902,
  kComputeUnits = 0x1002,
  kClock = 0x100C,
  kCacheSize = 0x101E,
  kMemorySize = 0x101F,
  kLocalSize = 0x1023,
  kDeviceName = 0x102B,
  kDriverVersion = 0x102D,
  kDeviceVersion = 0x102F,
  kBuildLog = 0x1183,
  kKernelLocal = 0x11B2,
  kKernelPrivate = 0x11B4,
  kRegion = 0x1220,
  kEventStart = 0x1282,
  kEventEnd = 0x1283,
};
constexpr uint64_t kAllDevices = 0xFFFFFFFF, kProfiling = 2, kReadWrite = 1;

std::string deviceText(const OpenClApi& api, OpenClApi::Handle device, unsigned what) {
  char text[512] = {};
  api.deviceInfo(device, what, sizeof text - 1, text, nullptr);
  return text;
}

template <class T> T deviceNumber(const OpenClApi& api, OpenClApi::Handle device, unsigned what) {
  T value{};
  api.deviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

std::vector<OpenClApi::Handle> platformsOf(const OpenClApi& api) {
  unsigned count = 0;
  if (api.platforms(0, nullptr, &count) != 0) return {};
  std::vector<OpenClApi::Handle> out(count);
  api.platforms(count, out.data(), nullptr);
  return out;
}

std::vector<OpenClApi::Handle> devicesOf(const OpenClApi& api, OpenClApi::Handle platform) {
  unsigned count = 0;
  if (api.devices(platform, kAllDevices, 0, nullptr, &count) != 0) return {};
  std::vector<OpenClApi::Handle> out(count);
  api.devices(platform, kAllDevices, count, out.data(), nullptr);
  return out;
}

DeviceInfo infoOf(const OpenClApi& api, size_t p, size_t d, OpenClApi::Handle platform,
                  OpenClApi::Handle device) {
  DeviceInfo out;
  out.id = "opencl:" + std::to_string(p) + ":" + std::to_string(d);
  out.kind = "opencl";
  char text[256] = {};
  api.platformInfo(platform, kPlatformName, sizeof text - 1, text, nullptr);
  out.name = deviceText(api, device, kDeviceName) + " (" + text + ")";
  out.driver = deviceText(api, device, kDriverVersion);
  out.compute = deviceText(api, device, kDeviceVersion);
  out.memoryBytes = deviceNumber<uint64_t>(api, device, kMemorySize);
  out.cacheBytes = deviceNumber<uint64_t>(api, device, kCacheSize);
  out.sharedPerBlock = deviceNumber<uint64_t>(api, device, kLocalSize);
  out.multiprocessors = static_cast<int>(deviceNumber<unsigned>(api, device, kComputeUnits));
  out.clockMHz = static_cast<int>(deviceNumber<unsigned>(api, device, kClock));
  return out;
}

class OpenClProgram : public Program {
 public:
  OpenClProgram(const OpenClApi& loader, OpenClApi::Handle built) : api(loader), program(built) {}
  ~OpenClProgram() override {
    for (auto& [name, kernel] : kernels) api.releaseKernel(kernel);
    api.releaseProgram(program);
  }
  OpenClProgram(const OpenClProgram&) = delete;
  OpenClProgram& operator=(const OpenClProgram&) = delete;

  std::map<std::string, OpenClApi::Handle> kernels;

 private:
  const OpenClApi& api;
  OpenClApi::Handle program;
};

class OpenClDevice : public Device {
 public:
  OpenClDevice(const OpenClApi& loader, OpenClApi::Handle opened, DeviceInfo described)
      : api(loader), device(opened), known(std::move(described)) {
    int error = 0;
    context = api.createContext(nullptr, 1, &device, nullptr, nullptr, &error);
    check(error);
    queue = api.createQueue(context, device, kProfiling, &error);
    check(error);
  }

  DeviceInfo info() const override { return known; }

  Memory allocate(uint64_t bytes) override {
    int error = 0;
    OpenClApi::Handle buffer =
        api.createBuffer(context, kReadWrite, std::max<uint64_t>(bytes, 1), nullptr, &error);
    if (error) throw LaunchError("no buffer of " + std::to_string(bytes) + " bytes: " + openClError(error));
    taken += bytes;
    sizes[buffer] = bytes;
    return reinterpret_cast<Memory>(buffer);
  }
  void release(Memory memory) override {
    auto* buffer = reinterpret_cast<OpenClApi::Handle>(memory);
    taken -= sizes[buffer];
    sizes.erase(buffer);
    api.releaseBuffer(buffer);
  }
  // OpenCL does not tell what is free. A CPU shares its memory with everything else, so half of it is the
  // most.
  uint64_t freeBytes() override {
    const uint64_t usable = known.memoryBytes / 2;
    return usable > taken ? usable - taken : 0;
  }
  void upload(Memory to, const uint8_t* from, uint64_t bytes) override {
    if (bytes)
      check(
          api.write(queue, reinterpret_cast<OpenClApi::Handle>(to), 1, 0, bytes, from, 0, nullptr, nullptr));
  }
  void download(uint8_t* to, Memory from, uint64_t bytes) override {
    if (bytes)
      check(api.read(queue, reinterpret_cast<OpenClApi::Handle>(from), 1, 0, bytes, to, 0, nullptr, nullptr));
  }
  void copy(Memory to, Memory from, uint64_t bytes) override {
    if (bytes)
      check(api.copy(queue, reinterpret_cast<OpenClApi::Handle>(from),
                     reinterpret_cast<OpenClApi::Handle>(to), 0, 0, bytes, 0, nullptr, nullptr));
  }

  std::unique_ptr<Program> build(const VariantSpec& variant) override {
    const char* text = variant.source.c_str();
    int error = 0;
    OpenClApi::Handle handle = api.createProgram(context, 1, &text, nullptr, &error);
    if (error) throw BuildError(openClError(error));
    auto program = std::make_unique<OpenClProgram>(api, handle);
    std::string flags;
    for (const std::string& flag : variant.flags) flags += flag + " ";
    if (api.build(handle, 1, &device, flags.c_str(), nullptr, nullptr) != 0) {
      std::string log(4000, '\0');
      size_t size = 0;
      if (api.buildInfo(handle, device, kBuildLog, log.size(), log.data(), &size) != 0) log.clear();
      log.resize(std::min(log.find('\0'), log.size()));
      throw BuildError(log.empty() ? "the OpenCL compiler refuses the source without a word" : log);
    }
    for (const LaunchSpec& launch : variant.launches) {
      if (program->kernels.count(launch.kernel)) continue;
      OpenClApi::Handle kernel = api.createKernel(handle, launch.kernel.c_str(), &error);
      if (error) throw BuildError("kernel '" + launch.kernel + "': " + openClError(error));
      program->kernels[launch.kernel] = kernel;
    }
    return program;
  }

  std::vector<KernelFigures> figures(Program& program, const VariantSpec&) override {
    std::vector<KernelFigures> out;
    for (const auto& [name, kernel] : static_cast<OpenClProgram&>(program).kernels) {
      KernelFigures one;
      one.kernel = name;
      uint64_t local = 0, own = 0;
      api.kernelGroupInfo(kernel, device, kKernelLocal, sizeof local, &local, nullptr);
      api.kernelGroupInfo(kernel, device, kKernelPrivate, sizeof own, &own, nullptr);
      one.sharedBytes = static_cast<int>(local);
      one.localBytes = static_cast<int>(own);
      out.push_back(std::move(one));
    }
    return out;
  }

  double run(Program& program, std::span<const BoundLaunch> launches) override {
    auto& kernels = static_cast<OpenClProgram&>(program).kernels;
    Started started{api, {}, {}};
    // Drivers put time stamps around each launch whose event is kept, which parts it from its neighbours.
    for (const BoundLaunch& launch : launches)
      start(kernels.at(launch.spec->kernel), launch, started,
            &launch == &launches.front() || &launch == &launches.back());
    check(api.finish(queue));
    if (started.events.empty()) return 0;
    uint64_t from = 0, to = 0;
    check(api.eventTimes(started.events.front(), kEventStart, sizeof from, &from, nullptr));
    check(api.eventTimes(started.events.back(), kEventEnd, sizeof to, &to, nullptr));
    return static_cast<double>(to - from) * 1e-6;
  }

 private:
  // What a run holds until its launches are done.
  struct Started {
    const OpenClApi& api;
    std::vector<OpenClApi::Handle> events, subBuffers;
    ~Started() {
      for (auto* event : events) api.releaseEvent(event);
      for (auto* buffer : subBuffers) api.releaseBuffer(buffer);
    }
  };

  void check(int error) const {
    if (error) throw DeviceError(openClError(error));
  }

  void start(OpenClApi::Handle kernel, const BoundLaunch& launch, Started& started, bool isTimed) {
    auto refused = [&](int error) {
      throw LaunchError("kernel '" + launch.spec->kernel + "' cannot be launched: " + openClError(error));
    };
    // Some drivers end the process over this instead of refusing.
    uint64_t local = 0;
    for (const Argument& argument : launch.arguments) local += argument.localBytes;
    if (known.sharedPerBlock && local > known.sharedPerBlock)
      throw LaunchError("kernel '" + launch.spec->kernel + "' cannot be launched: " + std::to_string(local) +
                        " bytes of local memory, of which there are " + std::to_string(known.sharedPerBlock));
    for (unsigned i = 0; i < launch.arguments.size(); ++i) {
      const Argument& argument = launch.arguments[i];
      int error = 0;
      if (argument.memory) {
        auto* buffer = reinterpret_cast<OpenClApi::Handle>(argument.memory);
        if (argument.offset) {
          const size_t region[2] = {argument.offset, sizes.at(buffer) - argument.offset};
          buffer = api.createSubBuffer(buffer, kReadWrite, kRegion, region, &error);
          if (error) refused(error);
          started.subBuffers.push_back(buffer);
        }
        error = api.setArgument(kernel, i, sizeof buffer, &buffer);
      } else if (argument.localBytes) {
        error = api.setArgument(kernel, i, argument.localBytes, nullptr);
      } else {
        error = api.setArgument(kernel, i, argument.bytes.size(), argument.bytes.data());
      }
      if (error) refused(error);
    }
    size_t global[3], shape[3];
    for (size_t axis = 0; axis < 3; ++axis) {
      shape[axis] = launch.spec->block[axis];
      global[axis] = size_t(launch.spec->grid[axis]) * shape[axis];
    }
    const unsigned axes = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
    OpenClApi::Handle event = nullptr;
    if (int error =
            api.launch(queue, kernel, axes, nullptr, global, shape, 0, nullptr, isTimed ? &event : nullptr))
      refused(error);
    if (isTimed) started.events.push_back(event);
  }

  const OpenClApi& api;
  OpenClApi::Handle device, context = nullptr, queue = nullptr;
  DeviceInfo known;
  uint64_t taken = 0;
  std::map<OpenClApi::Handle, uint64_t> sizes;
};

}  // namespace

std::vector<DeviceInfo> listOpenClDevices() {
  const OpenClApi& api = OpenClApi::get();
  std::vector<DeviceInfo> out;
  const auto platforms = platformsOf(api);
  for (size_t p = 0; p < platforms.size(); ++p) {
    const auto devices = devicesOf(api, platforms[p]);
    for (size_t d = 0; d < devices.size(); ++d) out.push_back(infoOf(api, p, d, platforms[p], devices[d]));
  }
  return out;
}

std::unique_ptr<Device> openOpenClDevice(unsigned platform, unsigned index) {
  try {
    const OpenClApi& api = OpenClApi::get();
    const auto platforms = platformsOf(api);
    if (platform >= platforms.size())
      throw DeviceError("there are " + std::to_string(platforms.size()) +
                        " OpenCL platforms, counted from 0");
    const auto devices = devicesOf(api, platforms[platform]);
    if (index >= devices.size())
      throw DeviceError("the platform has " + std::to_string(devices.size()) + " devices, counted from 0");
    return std::make_unique<OpenClDevice>(api, devices[index],
                                          infoOf(api, platform, index, platforms[platform], devices[index]));
  } catch (const DeviceError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw DeviceError(error.what());
  }
}

}  // namespace hone::worker
