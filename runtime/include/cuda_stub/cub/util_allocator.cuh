// Stands in for cub's header of this name: memory is given back at once, as allocations cost nothing here.
#pragma once
#pragma GCC system_header
#include "util_debug.cuh"

namespace cub {

struct CachingDeviceAllocator {
  CachingDeviceAllocator(unsigned int = 8, unsigned int = 3, unsigned int = 7, size_t = 0, bool = false, bool = false) {}
  explicit CachingDeviceAllocator(bool, bool = false) {}
  cudaError_t DeviceAllocate(void** p, size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
  cudaError_t DeviceAllocate(int, void** p, size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
  cudaError_t DeviceFree(void* p) { return cudaFree(p); }
  cudaError_t DeviceFree(int, void* p) { return cudaFree(p); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

}  // namespace cub
