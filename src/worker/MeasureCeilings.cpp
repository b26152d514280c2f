#include "worker/MeasureCeilings.h"

#include <algorithm>
#include <cstring>

namespace hone::worker {

namespace {

constexpr unsigned kTimes = 5;
constexpr double kEnoughMs = 2;  // of one run of multiply-adds
constexpr uint64_t kThreads = 256;
constexpr unsigned kChains = 8, kUnrolled = 8;  // as the sources have them

constexpr const char* kCudaSource = R"(
extern "C" __global__ void hone_copy(float4* to, const float4* from, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
template <class T> __device__ void chains(T* out, T a, T b, unsigned iterations) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = T(i + k);
  for (unsigned r = 0; r < iterations; ++r) {
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int k = 0; k < 8; ++k) x[k] = x[k] * a + b;
  }
  out[i] = x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7];
}
extern "C" __global__ void hone_fma32(float* out, float a, float b, unsigned iterations) { chains<float>(out, a, b, iterations); }
extern "C" __global__ void hone_fma64(double* out, double a, double b, unsigned iterations) { chains<double>(out, a, b, iterations); }
)";

// CPUs take vectors, so each chain is one.
constexpr const char* kOpenClCopy = R"(
__kernel void hone_copy(__global float4* to, __global const float4* from, uint count) {
  const uint i = get_global_id(0);
  if (i < count) to[i] = from[i];
}
)";
constexpr const char* kOpenClChains = R"(
#define STEP x0 = x0 * a + b; x1 = x1 * a + b; x2 = x2 * a + b; x3 = x3 * a + b; x4 = x4 * a + b; x5 = x5 * a + b; x6 = x6 * a + b; x7 = x7 * a + b;
__kernel void hone_chains(__global REAL* out, REAL a, REAL b, uint iterations) {
  const uint i = get_global_id(0);
  VECTOR x0 = (VECTOR)(i), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3, x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;
  for (uint r = 0; r < iterations; ++r) { STEP STEP STEP STEP STEP STEP STEP STEP }
  const VECTOR all = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;
  out[i] = SUM;
}
)";

template <class T> std::vector<uint8_t> bytesOf(T value) {
  std::vector<uint8_t> out(sizeof value);
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

// An allocation that ends with its scope.
struct Held {
  Device& device;
  Memory memory;
  Held(Device& on, uint64_t bytes) : device(on), memory(on.allocate(bytes)) {}
  ~Held() { device.release(memory); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

class CeilingMeasurer {
 public:
  explicit CeilingMeasurer(Device& on) : device(on), info(on.info()) {}

  double copyGBs() {
    // Far more than a cache holds, and no more than there is.
    uint64_t bytes = std::clamp<uint64_t>(8 * info.cacheBytes, 64ull << 20, 512ull << 20);
    bytes = std::min(bytes, device.freeBytes() / 4) / 4096 * 4096;
    if (bytes == 0) return 0;
    const Held from(device, bytes), to(device, bytes);
    // Memory that nobody wrote may not be there yet.
    device.copy(from.memory, to.memory, bytes);
    const uint64_t count = bytes / 16;
    VariantSpec variant = variantOf(isCuda() ? kCudaSource : kOpenClCopy, "hone_copy", count);
    const auto program = device.build(variant);
    const std::vector<uint8_t> number = bytesOf(static_cast<uint32_t>(count));
    const BoundLaunch launch{&variant.launches[0],
                             {{to.memory, 0, {}, 0}, {from.memory, 0, {}, 0}, {0, 0, number, 0}}};
    return 2 * static_cast<double>(bytes) / (fastest(*program, launch) * 1e6);
  }

  template <class T> double gflops() {
    // As many threads as keep every device busy, each with chains of its own; a vector's lanes count as
    // threads.
    const bool isWide = sizeof(T) == 8;
    const uint64_t threads =
        kThreads * static_cast<uint64_t>(std::max(1, info.multiprocessors)) * (isCuda() ? 32 : 16);
    double best = 0;
    for (unsigned lanes :
         isCuda() ? std::vector<unsigned>{1} : std::vector<unsigned>{isWide ? 2u : 4u, isWide ? 8u : 16u}) {
      VariantSpec variant =
          variantOf(isCuda() ? kCudaSource : kOpenClChains,
                    isCuda() ? (isWide ? "hone_fma64" : "hone_fma32") : "hone_chains", threads);
      if (!isCuda()) variant.flags = openClFlags(isWide, lanes);
      const auto program = device.build(variant);
      const Held out(device, threads * sizeof(T));
      const std::vector<uint8_t> a = bytesOf(T(0.5)), b = bytesOf(T(1));
      std::vector<uint8_t> iterations;
      BoundLaunch launch{&variant.launches[0], {{out.memory, 0, {}, 0}, {0, 0, a, 0}, {0, 0, b, 0}, {}}};
      uint32_t count = 4;
      for (double ms = 0; ms < kEnoughMs && count < (1u << 20);) {
        count *= 4;
        iterations = bytesOf(count);
        launch.arguments[3].bytes = iterations;
        ms = device.run(*program, std::span(&launch, 1));
      }
      const double operations = 2.0 * kChains * kUnrolled * lanes * count * static_cast<double>(threads);
      best = std::max(best, operations / (fastest(*program, launch) * 1e6));
    }
    return best;
  }

 private:
  bool isCuda() const { return info.kind == "cuda"; }

  static std::vector<std::string> openClFlags(bool isWide, unsigned lanes) {
    const std::string real = isWide ? "double" : "float",
                      vector = lanes == 1 ? real : real + std::to_string(lanes);
    std::string sum;
    for (unsigned i = 0; i < lanes && lanes > 1; ++i)
      sum += std::string(i ? "+" : "") + "all.s" + "0123456789abcdef"[i];
    return {"-cl-mad-enable", "-DREAL=" + real, "-DVECTOR=" + vector, "-DSUM=" + (lanes == 1 ? "all" : sum)};
  }

  VariantSpec variantOf(const char* source, const char* kernel, uint64_t threads) const {
    VariantSpec out;
    out.language = info.kind;
    out.source = source;
    LaunchSpec launch;
    launch.kernel = kernel;
    launch.block = {static_cast<uint32_t>(kThreads), 1, 1};
    launch.grid = {static_cast<uint32_t>((threads + kThreads - 1) / kThreads), 1, 1};
    out.launches.push_back(launch);
    return out;
  }

  // A ceiling is what was reached once, not what is usual.
  double fastest(Program& program, const BoundLaunch& launch) {
    double best = device.run(program, std::span(&launch, 1));
    for (unsigned i = 0; i < kTimes; ++i) best = std::min(best, device.run(program, std::span(&launch, 1)));
    return std::max(best, 1e-6);
  }

  Device& device;
  DeviceInfo info;
};

template <class F> double orZero(F&& measured) {
  try {
    return measured();
  } catch (const BuildError&) {
    return 0;
  } catch (const LaunchError&) {
    return 0;
  }
}

}  // namespace

Ceilings measureCeilings(Device& device) {
  CeilingMeasurer measurer(device);
  Ceilings out;
  out.copyGBs = orZero([&] { return measurer.copyGBs(); });
  out.fp32GFlops = orZero([&] { return measurer.gflops<float>(); });
  out.fp64GFlops = orZero([&] { return measurer.gflops<double>(); });
  return out;
}

}  // namespace hone::worker
