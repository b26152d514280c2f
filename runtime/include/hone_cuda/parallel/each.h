// One thread for each index: what the algorithms that the stand-ins for thrust and cub bring are made of.
#pragma once
#pragma GCC system_header
#include "../../hone_cuda.h"

namespace hone_parallel {

constexpr int kThreads = 256;
constexpr long long kMostParts = 1024;  // threads that share a reduction or a scan

inline unsigned blocksFor(long long n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

// The host's compiler needs the name alone; what a functor does there may be another thing.
template <class F> __global__ void eachIndex(long long n, F f) {
#ifdef __CUDA_ARCH__
  long long i = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < n) f(i);
#endif
}

template <class F> void each(long long n, F f, cudaStream_t stream = 0) {
  if (n > 0) eachIndex<F><<<blocksFor(n), kThreads, 0, stream>>>(n, f);
}

// Memory of the device that is given back at the end of the block.
template <class T> struct Scratch {
  T* data = nullptr;
  explicit Scratch(long long n) { cudaMalloc(reinterpret_cast<void**>(&data), (n > 0 ? n : 1) * sizeof(T)); }
  Scratch(const Scratch&) = delete;
  ~Scratch() { cudaFree(data); }
};

// An element of the device, as the host sees it.
template <class T> T fetch(const T* at) {
  alignas(T) unsigned char bytes[sizeof(T)];
  cudaMemcpy(bytes, at, sizeof(T), cudaMemcpyDefault);
  return *reinterpret_cast<T*>(bytes);
}

}  // namespace hone_parallel
