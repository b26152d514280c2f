// Times contenders that do the same work on the same buffers, by events, outside of hone: what bench/gpu
// holds hone-worker's times against.
//   PROGRAM LABEL SIZES...        JSON lines on standard output
#pragma once
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>
#include <hone.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

inline void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "cuBLAS: status %d\n", int(status));
  std::exit(2);
}

// Numbers between -scale and scale; where a diagonal is asked for, every so many elements one between 1
// and 2.
__global__ void fill(float* data, size_t count, unsigned seed, float scale, size_t diagonal) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull + seed * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    const float unit = float(x >> 40) / float(1 << 24);
    data[i] = diagonal && i % diagonal == 0 ? 1 + unit : scale * (2 * unit - 1);
  }
}

__global__ void copy(const float4* in, float4* out, size_t count) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < count) out[i] = in[i];
}

// Keeps the device busy while the host makes the launches that are timed: else the first of them is waited
// for.
__global__ void hold(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {}
}

// An array in as many copies as there are sets.
class Array {
 public:
  float* operator[](size_t set) const { return sets[set]; }
  size_t count = 0;
  bool isResult = false;
  unsigned seed = 0;
  float scale = 1;
  size_t diagonal = 0;
  std::vector<float*> sets;

  float* pristine = nullptr;  // of an array that runs change

  bool isUpdated() const { return isResult && seed != 0; }
  void restore(size_t set) {
    const size_t bytes = count * sizeof(float);
    if (isResult && !isUpdated()) return check(cudaMemset(sets[set], 0xff, bytes));
    if (!isUpdated()) return fill<<<1024, 256>>>(sets[set], count, seed, scale, diagonal);
    if (!pristine) {
      check(cudaMalloc(&pristine, bytes));
      fill<<<1024, 256>>>(pristine, count, seed, scale, diagonal);
    }
    // A copy, as hone-worker restores: what is left in the cache is then the same.
    check(cudaMemcpyAsync(sets[set], pristine, bytes, cudaMemcpyDeviceToDevice));
  }
};

class Run {
 public:
  Run(int argc, char** argv) {
    if (argc < 2) {
      std::fprintf(stderr, "usage: %s LABEL SIZES...\n", argv[0]);
      std::exit(2);
    }
    label = argv[1];
    for (int i = 2; i < argc; ++i) sizes.push_back(std::atoi(argv[i]));
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    // The same rule as hone-worker's.
    cache = 3 * std::max<size_t>(properties.l2CacheSize, size_t(64) << 20);
    check(cudaEventCreate(&first));
    check(cudaEventCreate(&last));
    // Temporary memory of launches stays with the program, as in one that makes many; else each sample asks
    // for it anew.
    cudaMemPool_t pool;
    uint64_t most = UINT64_MAX;
    check(cudaDeviceGetDefaultMemPool(&pool, 0));
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most));
    check(cublasCreate(&blas));
    check(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH));
  }
  int size(size_t i) const {
    return i < sizes.size() ? sizes[i] : (std::fprintf(stderr, "a size is missing\n"), std::exit(2), 0);
  }

  Array& input(size_t count, float scale = 1, size_t diagonal = 0) {
    return add(count, false, scale, diagonal);
  }
  Array& output(size_t count) { return add(count, true, 0, 0); }
  // Read and written: each run begins with what the last one left, unless restored.
  Array& updated(size_t count) {
    Array& out = add(count, true, 1, 0);
    out.seed = unsigned(arrays.size()) + 1;
    return out;
  }

  // All arrays are known now.
  void ready() {
    size_t bytes = 0;
    for (auto& a : arrays) bytes += a->count * sizeof(float);
    setCount = std::clamp<size_t>(cache / bytes + 1, 1, 32);
    for (auto& a : arrays) {
      for (size_t s = 0; s < setCount; ++s) {
        // 2 MB apart: what a launch function tests for overlap can be wider than the array.
        const size_t gap = size_t(1) << 19;
        float* p = nullptr;
        check(cudaMalloc(&p, (std::max<size_t>(a->count, 4) + 2 * gap) * sizeof(float)));
        a->sets.push_back(p + gap);
        a->restore(s);
      }
    }
    check(cudaDeviceSynchronize());
  }

  // Times `work(set)` and compares what it leaves in `result` with what the first contender left there.
  template <class Work> void contend(const char* what, const Array& result, bool isExact, Work work) {
    for (auto& a : arrays) a->restore(0);
    work(0);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    std::vector<float> now(result.count);
    check(cudaMemcpy(now.data(), result[0], now.size() * sizeof(float), cudaMemcpyDeviceToHost));
    compare(what, now, isExact);
    time(what, work);
  }

  // Only timed. Data that a run changes are restored before each sample, in which each set then serves once
  // at most.
  template <class Work> void time(const char* what, Work work) {
    const bool restores =
        !isCopying && std::any_of(arrays.begin(), arrays.end(), [](auto& a) { return a->isUpdated(); });
    auto sample = [&](size_t runs) {
      for (size_t s = 0; restores && s < setCount; ++s)
        for (auto& a : arrays)
          if (a->isUpdated()) a->restore(s);
      hold<<<1, 1>>>(200'000);
      check(cudaEventRecord(first));
      // Samples go on with the next set, so that none finds what the last one left in the cache.
      for (size_t i = 0; i < runs; ++i) work(next++ % setCount);
      check(cudaEventRecord(last));
      check(cudaEventSynchronize(last));
      check(cudaGetLastError());
      float ms = 0;
      check(cudaEventElapsedTime(&ms, first, last));
      return double(ms) * 1000 / double(runs);
    };
    sample(1);
    const double us = std::max(0.1, sample(1));
    const size_t runs = std::clamp<size_t>(size_t(std::ceil(400 / us)), 1, restores ? setCount : 256);
    // 200 launches and more, fewer where one takes over 20 ms.
    const size_t samples = us > 20000 ? 7 : std::max<size_t>(15, (200 + runs - 1) / runs);
    sample(runs);
    std::vector<double> all;
    for (size_t i = 0; i < samples; ++i) all.push_back(sample(runs));
    std::sort(all.begin(), all.end());
    const size_t half = all.size() / 2;
    const double median = all.size() % 2 ? all[half] : (all[half - 1] + all[half]) / 2;
    std::printf(
        "{\"label\": \"%s\", \"what\": \"%s\", \"median_us\": %.4f, \"low_us\": %.4f, \"high_us\": %.4f, "
        "\"samples\": %zu, \"launches\": %zu, \"sets\": %zu}\n",
        label.c_str(), what, median, all[all.size() / 4], all[all.size() * 3 / 4], samples, samples * runs,
        setCount);
    std::fflush(stdout);
  }

  // A copy that reads and writes as many bytes as the work does, half each, by a kernel and by the driver.
  void copyOf(double bytes) {
    const size_t count = std::max<size_t>(1, size_t(bytes / 2) / 16);
    const size_t kept = setCount;
    isCopying = true;
    setCount = std::clamp<size_t>((cache + count * 32 - 1) / (count * 32), 1, 32);
    std::vector<std::pair<float4*, float4*>> buffers(setCount);
    for (auto& [in, out] : buffers) {
      check(cudaMalloc(&in, count * 16));
      check(cudaMalloc(&out, count * 16));
      check(cudaMemset(in, 1, count * 16));
    }
    time("copy", [&](size_t s) {
      copy<<<unsigned((count + 255) / 256), 256>>>(buffers[s].first, buffers[s].second, count);
    });
    time("memcpy", [&](size_t s) {
      check(cudaMemcpyAsync(buffers[s].second, buffers[s].first, count * 16, cudaMemcpyDeviceToDevice));
    });
    for (auto& [in, out] : buffers) {
      check(cudaFree(in));
      check(cudaFree(out));
    }
    setCount = kept;
    isCopying = false;
  }

  cublasHandle_t blas = nullptr;
  size_t sets() const { return setCount; }

 private:
  Array& add(size_t count, bool isResult, float scale, size_t diagonal) {
    arrays.push_back(std::make_unique<Array>());
    Array& out = *arrays.back();
    out.count = count;
    out.isResult = isResult;
    out.scale = scale;
    out.diagonal = diagonal;
    out.seed = isResult ? 0 : unsigned(arrays.size());
    return out;
  }

  // Floats within hone-worker's bound for a thousand operations; NaN never passes.
  void compare(const char* what, const std::vector<float>& now, bool isExact) {
    if (reference.empty()) reference = now;
    double largest = 0, worst = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < now.size(); ++i) {
      if (isExact) {
        wrong += std::memcmp(&now[i], &reference[i], sizeof(float)) != 0;
        continue;
      }
      if (std::isfinite(reference[i])) largest = std::max(largest, std::fabs(double(reference[i])));
    }
    for (size_t i = 0; i < now.size() && !isExact; ++i) {
      const double error = std::fabs(double(now[i]) - reference[i]);
      if (!(error <= 4 * 1000 * 0x1p-24 * largest)) ++wrong;
      if (error > worst) worst = error;
    }
    std::printf("{\"label\": \"%s\", \"what\": \"%s\", \"wrong\": %zu, \"largest\": %g, \"max_error\": %g}\n",
                label.c_str(), what, wrong, largest, worst);
    std::fflush(stdout);
  }

  std::string label;
  std::vector<int> sizes;
  size_t cache = 0, setCount = 1, next = 0;
  bool isCopying = false;
  std::vector<std::unique_ptr<Array>> arrays;
  std::vector<float> reference;
  cudaEvent_t first = nullptr, last = nullptr;
};

// Launches a kernel whose barriers are those of the whole grid.
template <class Kernel, class... Args> void cooperative(Kernel kernel, dim3 grid, dim3 block, Args... args) {
  void* pointers[] = {(void*)&args...};
  check(cudaLaunchCooperativeKernel((const void*)kernel, grid, block, pointers, 0, 0));
}

}  // namespace bench
