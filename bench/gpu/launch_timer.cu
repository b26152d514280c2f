// Times every kernel that a program launches, without a change to its source. Linked with it by
//   -Xlinker --wrap=__cudaGetKernel,--wrap=__cudaLaunchKernel,--wrap=cudaLaunchKernel,--wrap=cudaLaunchCooperativeKernel,--wrap=cudaMalloc,--wrap=cudaFree
// Each launch stands between two events, behind a kernel that keeps the device busy until the host has made all three. The first launches of
// a kernel run several times, with all memory put back in between; what counts is their median. At the end, one line a kernel goes to
// the file that LAUNCH_TIMES names: launches, microseconds of all of them together, mangled name. With LAUNCH_TIMES_ONLY set the program
// ends when it has freed its last array on the device, so that what it computes on the host for comparison costs no time.
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

extern "C" {
cudaError_t __real___cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __real_cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __real_cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t __real_cudaMalloc(void**, size_t);
cudaError_t __real_cudaFree(void*);
}

namespace {

constexpr int kRepeated = 6;        // launches of a kernel that run several times
constexpr int kTimes = 9;           // how often
constexpr double kEnough = 150000;  // microseconds after which no further repetition is begun

__global__ void hold(long long cycles) {
  for (const long long begin = clock64(); clock64() - begin < cycles;) {}
}

struct Timed {
  size_t launches = 0;
  double repeated = 0;                                    // microseconds of those that ran several times
  std::vector<std::pair<cudaEvent_t, cudaEvent_t>> open;  // of those that ran once
};

struct State {
  std::map<std::string, Timed> kernels;
  std::map<void*, std::pair<size_t, void*>> arrays;  // their bytes, and a copy
  std::map<cudaKernel_t, const void*> functions;
  bool isWriting = false;
};
State& state() {
  static State one;
  return one;
}

double between(cudaEvent_t begin, cudaEvent_t end) {
  float ms = 0;
  cudaEventElapsedTime(&ms, begin, end);
  return ms * 1000;
}

void write() {
  State& all = state();
  if (all.isWriting) return;
  all.isWriting = true;
  cudaDeviceSynchronize();
  const char* path = getenv("LAUNCH_TIMES");
  FILE* out = path ? fopen(path, "w") : stderr;
  for (auto& [name, timed] : all.kernels) {
    double total = timed.repeated;
    for (auto& [begin, end] : timed.open) total += between(begin, end);
    fprintf(out, "%zu %.3f %s\n", timed.launches, total, name.c_str());
  }
  fprintf(out, "end %s\n", cudaGetErrorString(cudaGetLastError()));
  fclose(out);
}

template <class Launch>
cudaError_t timedLaunch(const void* kernel, cudaStream_t stream, Launch&& launch) {
  State& all = state();
  if (all.kernels.empty()) atexit(write);
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) != cudaSuccess || !name) name = "unknown";
  Timed& timed = all.kernels[name];
  cudaError_t status = cudaSuccess;
  long long cycles = 30000;
  void* cyclesArgument[] = {&cycles};
  auto once = [&](cudaEvent_t begin, cudaEvent_t end) {
    __real_cudaLaunchKernel((const void*)hold, 1, 1, cyclesArgument, 0, stream);
    cudaEventRecord(begin, stream);
    status = launch();
    cudaEventRecord(end, stream);
  };
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  if (timed.launches++ >= kRepeated) {
    once(begin, end);
    timed.open.emplace_back(begin, end);
    return status;
  }
  for (auto& [array, kept] : all.arrays) {
    if (!kept.second) __real_cudaMalloc(&kept.second, kept.first);
    cudaMemcpyAsync(kept.second, array, kept.first, cudaMemcpyDeviceToDevice, stream);
  }
  std::vector<double> times;
  double spent = 0;
  for (int i = 0; i < kTimes && (i == 0 || spent < kEnough); ++i) {
    if (i)
      for (auto& [array, kept] : all.arrays)
        cudaMemcpyAsync(array, kept.second, kept.first, cudaMemcpyDeviceToDevice, stream);
    once(begin, end);
    cudaEventSynchronize(end);
    times.push_back(between(begin, end));
    spent += times.back();
  }
  std::sort(times.begin(), times.end());
  timed.repeated += times[times.size() / 2];
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return status;
}

}  // namespace

extern "C" {

// How nvcc's own launches go: by a handle that each place of them asks for once.
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* handle, const void* kernel) {
  const cudaError_t status = __real___cudaGetKernel(handle, kernel);
  if (status == cudaSuccess) state().functions[*handle] = kernel;
  return status;
}

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                      size_t shared, cudaStream_t stream) {
  return timedLaunch(state().functions[kernel], stream, [&] {
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  });
}

cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
  return timedLaunch(kernel, stream,
                     [&] { return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); });
}

cudaError_t __wrap_cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t shared, cudaStream_t stream) {
  return timedLaunch(kernel, stream, [&] {
    return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
  });
}

cudaError_t __wrap_cudaMalloc(void** array, size_t bytes) {
  const cudaError_t status = __real_cudaMalloc(array, bytes);
  if (status == cudaSuccess) state().arrays[*array] = {bytes, nullptr};
  return status;
}

cudaError_t __wrap_cudaFree(void* array) {
  State& all = state();
  cudaDeviceSynchronize();
  if (const auto found = all.arrays.find(array); found != all.arrays.end()) {
    if (found->second.second) __real_cudaFree(found->second.second);
    all.arrays.erase(found);
    if (all.arrays.empty() && getenv("LAUNCH_TIMES_ONLY")) {
      write();
      _exit(0);
    }
  }
  return __real_cudaFree(array);
}
}
