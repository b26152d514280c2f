// Host helpers: every CUDA call is checked; results are printed bit for bit.
#ifndef MULTIFILE_CHECK_H
#define MULTIFILE_CHECK_H

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                            \
  do {                                                                                         \
    cudaError_t status_ = (call);                                                              \
    if (status_ != cudaSuccess) {                                                              \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));     \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (0)

// A launch in a macro: the kernel's name and geometry arrive as macro arguments.
#define LAUNCH_1D(kernel, count, threads, ...)                                    \
  do {                                                                            \
    kernel<<<((count) + (threads) - 1) / (threads), (threads)>>>(__VA_ARGS__);     \
    CHECK(cudaGetLastError());                                                    \
  } while (0)

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : size(count) { CHECK(cudaMalloc(&data, count * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    CHECK(cudaMemcpy(data, host.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  operator T*() { return data; }
  void clear() { CHECK(cudaMemset(data, 0, size * sizeof(T))); }
  std::vector<T> read() const {
    std::vector<T> host(size);
    CHECK(cudaMemcpy(host.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data = nullptr;
  size_t size;
};

// Numbers without a library, so that every machine makes the same input.
inline unsigned nextRandom(unsigned& state) { return (state = state * 1664525u + 1013904223u) >> 8; }

inline void print(const char* name, const std::vector<float>& values) {
  std::printf("%s:", name);
  for (float v : values) std::printf(" %a", v);
  std::printf("\n");
}
inline void print(const char* name, const std::vector<double>& values) {
  std::printf("%s:", name);
  for (double v : values) std::printf(" %a", v);
  std::printf("\n");
}
template <typename T>
void print(const char* name, const std::vector<T>& values) {
  std::printf("%s:", name);
  for (T v : values) std::printf(" %lld", (long long)v);
  std::printf("\n");
}

// The parts of the program.
int imagePart();
int seriesPart();

#endif
