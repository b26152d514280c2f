#include "worker/CudaDevice.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "worker/CompileCuda.h"
#include "worker/CudaApi.h"

namespace hone::worker {

namespace {

// Keeps the device busy while the host makes the launches that are timed: else the first of them is waited
// for.
constexpr const char* kHold = R"(.version 6.0
.target sm_50
.address_size 64
.visible .entry hold(.param .u64 cycles) {
  .reg .pred %p;
  .reg .u64 %begin, %now, %most;
  ld.param.u64 %most, [cycles];
  mov.u64 %begin, %clock64;
again:
  mov.u64 %now, %clock64;
  sub.u64 %now, %now, %begin;
  setp.lt.u64 %p, %now, %most;
  @%p bra again;
  ret;
})";
// What a launch takes the host, generously; so many are waited for that the device does not catch up with the
// rest.
constexpr uint64_t kHoldUs = 20, kHoldUsPerLaunch = 5, kLaunchesHeld = 64;

DeviceInfo infoOf(const CudaApi& api, int index) {
  int device = 0;
  if (int error = api.deviceGet(&device, index)) throw DeviceError(api.describe(error));
  auto attribute = [&](int which) {
    int value = 0;
    api.deviceAttribute(&value, which, device);
    return value;
  };
  DeviceInfo out;
  out.id = "cuda:" + std::to_string(index);
  out.kind = "cuda";
  char text[256] = {};
  api.deviceName(text, sizeof text - 1, device);
  out.name = text;
  int version = 0;
  api.driverVersion(&version);
  out.driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  out.compute = std::to_string(attribute(kComputeMajor)) + "." + std::to_string(attribute(kComputeMinor));
  size_t bytes = 0;
  api.deviceMemory(&bytes, device);
  out.memoryBytes = bytes;
  out.cacheBytes = static_cast<uint64_t>(attribute(kL2Bytes));
  out.sharedPerBlock = static_cast<uint64_t>(attribute(kSharedPerBlockOptin));
  out.multiprocessors = attribute(kMultiprocessors);
  out.clockMHz = attribute(kClockKHz) / 1000;
  return out;
}

std::string busId(const CudaApi& api, int index) {
  char text[64] = {};
  int device = 0;
  if (api.deviceGet(&device, index) != 0 || api.devicePciBusId(text, sizeof text, device) != 0) return "";
  return text;
}

class CudaProgram : public Program {
 public:
  CudaProgram(const CudaApi& driver, CudaApi::Handle loaded) : api(driver), module(loaded) {}
  ~CudaProgram() override { api.unloadModule(module); }
  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;

  std::map<std::string, CudaApi::Handle> functions;

 private:
  const CudaApi& api;
  CudaApi::Handle module;
};

class CudaDevice : public Device {
 public:
  explicit CudaDevice(int index)
      : api(CudaApi::get()), known(infoOf(api, index)), nvml(busId(api, index).c_str()) {
    int device = 0;
    check(api.deviceGet(&device, index));
    CudaApi::Handle context = nullptr;
    check(api.primaryContext(&context, device));
    check(api.setContext(context));
    check(api.eventCreate(&first, 0));
    check(api.eventCreate(&last, 0));
    CudaApi::Handle module = nullptr;
    check(api.loadModule(&module, kHold));
    check(api.getFunction(&holding, module, "hold"));
    // What launches give back stays with the process, as in a program that makes many.
    CudaApi::Handle pool = nullptr;
    uint64_t most = UINT64_MAX;
    hasPool = api.allocateInOrder && api.defaultPool(&pool, device) == 0 &&
              api.setPoolAttribute(pool, kPoolReleaseThreshold, &most) == 0;
  }

  DeviceInfo info() const override { return known; }

  Conditions conditions() override {
    Conditions out;
    if (!nvml.device) return out;
    unsigned value = 0;
    if (nvml.clock(nvml.device, 1, &value) == 0) out.clockMHz = static_cast<int>(value);
    if (nvml.clock(nvml.device, 2, &value) == 0) out.memoryClockMHz = static_cast<int>(value);
    if (nvml.temperatureOf(nvml.device, 0, &value) == 0) out.temperature = static_cast<int>(value);
    return out;
  }

  Memory allocate(uint64_t bytes) override {
    CudaApi::DevicePtr at = 0;
    if (int error = api.memAlloc(&at, std::max<uint64_t>(bytes, 1)))
      throw LaunchError("no " + std::to_string(bytes) + " bytes of device memory: " + api.describe(error));
    return at;
  }
  void release(Memory memory) override { api.memFree(memory); }
  uint64_t freeBytes() override {
    size_t free = 0, total = 0;
    check(api.memInfo(&free, &total));
    return free;
  }
  void upload(Memory to, const uint8_t* from, uint64_t bytes) override {
    if (bytes) check(api.copyToDevice(to, from, bytes));
  }
  void download(uint8_t* to, Memory from, uint64_t bytes) override {
    if (bytes) check(api.copyToHost(to, from, bytes));
  }
  void copy(Memory to, Memory from, uint64_t bytes) override {
    if (bytes) check(api.copyOnDevice(to, from, bytes, nullptr));
  }

  std::unique_ptr<Program> build(const VariantSpec& variant) override {
    std::vector<std::string> kernels;
    for (const LaunchSpec& launch : variant.launches)
      if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
        kernels.push_back(launch.kernel);
    const CudaImage image = variant.image.empty()
                                ? compileCuda(variant.source, variant.flags, known.compute, kernels)
                                : CudaImage{variant.image, variant.symbols, variant.imageMs};
    CudaApi::Handle module = nullptr;
    if (int error = api.loadModule(&module, image.cubin.data()))
      throw BuildError("the driver does not load the compiled kernel: " + api.describe(error));
    auto program = std::make_unique<CudaProgram>(api, module);
    for (const auto& [kernel, symbol] : image.symbols) {
      CudaApi::Handle function = nullptr;
      if (int error = api.getFunction(&function, module, symbol.c_str()))
        throw BuildError("kernel '" + kernel + "' is not in the module: " + api.describe(error));
      program->functions[kernel] = function;
    }
    // More than 48 KiB of dynamic shared memory is asked for by name.
    for (const LaunchSpec& launch : variant.launches)
      if (launch.sharedBytes > 48 * 1024)
        if (int error = api.setFunctionAttribute(program->functions[launch.kernel], kFunctionMaxDynamicShared,
                                                 static_cast<int>(launch.sharedBytes)))
          throw LaunchError(std::to_string(launch.sharedBytes) +
                            " bytes of shared memory: " + api.describe(error));
    return program;
  }

  std::vector<KernelFigures> figures(Program& program, const VariantSpec& variant) override {
    std::vector<KernelFigures> out;
    for (const auto& [kernel, function] : static_cast<CudaProgram&>(program).functions) {
      KernelFigures one;
      one.kernel = kernel;
      api.functionAttribute(&one.registers, kFunctionRegisters, function);
      api.functionAttribute(&one.sharedBytes, kFunctionShared, function);
      api.functionAttribute(&one.localBytes, kFunctionLocal, function);
      api.functionAttribute(&one.constantBytes, kFunctionConstant, function);
      for (const LaunchSpec& launch : variant.launches)
        if (launch.kernel == kernel) {
          api.occupancy(&one.blocksPerMultiprocessor, function,
                        static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]),
                        launch.sharedBytes);
          break;
        }
      out.push_back(std::move(one));
    }
    return out;
  }

  double run(Program& program, std::span<const BoundLaunch> launches) override {
    auto& functions = static_cast<CudaProgram&>(program).functions;
    hold(launches.size());
    check(api.eventRecord(first, nullptr));
    std::vector<CudaApi::DevicePtr> asked;
    for (const BoundLaunch& launch : launches) {
      for (size_t i = 0; hasPool && i < launch.asksFor.size(); ++i)
        check(api.allocateInOrder(&asked.emplace_back(), launch.asksFor[i], nullptr));
      start(functions.at(launch.spec->kernel), launch);
      if (!launch.endsRun) continue;
      for (CudaApi::DevicePtr memory : asked) check(api.freeInOrder(memory, nullptr));
      asked.clear();
    }
    check(api.eventRecord(last, nullptr));
    check(api.eventSynchronize(last));
    float milliseconds = 0;
    check(api.eventElapsed(&milliseconds, first, last));
    return static_cast<double>(milliseconds);
  }

 private:
  void check(int error) const {
    if (error) throw DeviceError(api.describe(error));
  }

  void hold(size_t launches) {
    const uint64_t us = kHoldUs + kHoldUsPerLaunch * std::min<uint64_t>(launches, kLaunchesHeld);
    uint64_t cycles = us * static_cast<uint64_t>(std::max(known.clockMHz, 1));
    void* parameters[] = {&cycles};
    check(api.launch(holding, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  }

  void start(CudaApi::Handle function, const BoundLaunch& launch) {
    const LaunchSpec& spec = *launch.spec;
    std::vector<CudaApi::DevicePtr> addresses(launch.arguments.size());
    std::vector<void*> parameters;
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
      const Argument& argument = launch.arguments[i];
      addresses[i] = argument.memory + argument.offset;
      parameters.push_back(argument.memory ? static_cast<void*>(&addresses[i])
                                           : const_cast<uint8_t*>(argument.bytes.data()));
    }
    const auto& [gx, gy, gz] = spec.grid;
    const auto& [bx, by, bz] = spec.block;
    const auto shared = static_cast<unsigned>(spec.sharedBytes);
    const int error =
        spec.cooperative
            ? api.launchCooperative(function, gx, gy, gz, bx, by, bz, shared, nullptr, parameters.data())
            : api.launch(function, gx, gy, gz, bx, by, bz, shared, nullptr, parameters.data(), nullptr);
    if (error == kInvalidValue || error == kLaunchOutOfResources || error == kTooManyBlocks ||
        error == kOutOfMemory)
      throw LaunchError("kernel '" + spec.kernel + "' cannot be launched: " + api.describe(error));
    check(error);
  }

  const CudaApi& api;
  DeviceInfo known;
  NvmlApi nvml;
  CudaApi::Handle first = nullptr, last = nullptr, holding = nullptr;
  bool hasPool = false;
};

}  // namespace

std::vector<DeviceInfo> listCudaDevices() {
  const CudaApi& api = CudaApi::get();
  int count = 0;
  if (int error = api.deviceCount(&count)) throw std::runtime_error(api.describe(error));
  std::vector<DeviceInfo> out;
  for (int i = 0; i < count; ++i) out.push_back(infoOf(api, i));
  return out;
}

std::unique_ptr<Device> openCudaDevice(int index) {
  try {
    return std::make_unique<CudaDevice>(index);
  } catch (const DeviceError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw DeviceError(error.what());
  }
}

}  // namespace hone::worker
