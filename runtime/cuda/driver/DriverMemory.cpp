// The driver API's memory: addresses are numbers, all else is the runtime API's.
#include <cstring>

#include "Driver.h"

using namespace hone::cuda;

namespace {

void* pointerTo(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

template <class Allocate>
CUresult allocateBy(CUdeviceptr* address, size_t bytes, const Allocate& allocate) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* p = nullptr;
  const CUresult status = driverResult(allocate(&p));
  *address = reinterpret_cast<CUdeviceptr>(p);
  return status;
}

template <class Element>
CUresult fillElements(CUdeviceptr to, Element value, size_t count) {
  cudaError_t status = cudaSuccess;
  uint8_t* at = Runtime::get().resolve(pointerTo(to), count * sizeof value, true, status, "memset");
  if (!at) return driverResult(status);
  for (size_t k = 0; k < count; ++k) std::memcpy(at + k * sizeof value, &value, sizeof value);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuMemGetInfo(size_t* available, size_t* total) {
  return driverResult(cudaMemGetInfo(available, total));
}
CUresult cuMemAlloc(CUdeviceptr* p, size_t bytes) {
  return allocateBy(p, bytes, [&](void** at) { return cudaMalloc(at, bytes); });
}
CUresult cuMemAllocAsync(CUdeviceptr* p, size_t bytes, CUstream s) {
  return allocateBy(p, bytes, [&](void** at) { return cudaMallocAsync(at, bytes, s); });
}
CUresult cuMemAllocManaged(CUdeviceptr* p, size_t bytes, unsigned flags) {
  return allocateBy(p, bytes, [&](void** at) { return cudaMallocManaged(at, bytes, flags); });
}
CUresult cuMemAllocPitch(CUdeviceptr* p, size_t* pitch, size_t width, size_t height, unsigned) {
  return allocateBy(p, width * height, [&](void** at) { return cudaMallocPitch(at, pitch, width, height); });
}
CUresult cuMemFree(CUdeviceptr p) {
  return p ? driverResult(cudaFree(pointerTo(p))) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) {
  return p ? driverResult(cudaFreeAsync(pointerTo(p), s)) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemAllocHost(void** p, size_t bytes) { return driverResult(cudaMallocHost(p, bytes)); }
CUresult cuMemHostAlloc(void** p, size_t bytes, unsigned flags) {
  return driverResult(cudaHostAlloc(p, bytes, flags));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* p, void* host, unsigned flags) {
  void* at = nullptr;
  const CUresult status = driverResult(cudaHostGetDevicePointer(&at, host, flags));
  *p = reinterpret_cast<CUdeviceptr>(at);
  return status;
}
CUresult cuMemFreeHost(void* p) { return driverResult(cudaFreeHost(p)); }

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driverResult(cudaMemcpy(pointerTo(to), pointerTo(from), bytes, cudaMemcpyDefault));
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s) {
  return driverResult(cudaMemcpyAsync(pointerTo(to), pointerTo(from), bytes, cudaMemcpyDefault, s));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return driverResult(cudaMemcpy(pointerTo(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return driverResult(cudaMemcpy(to, pointerTo(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return driverResult(cudaMemcpy(pointerTo(to), pointerTo(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream s) {
  return driverResult(cudaMemcpyAsync(pointerTo(to), from, bytes, cudaMemcpyHostToDevice, s));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream s) {
  return driverResult(cudaMemcpyAsync(to, pointerTo(from), bytes, cudaMemcpyDeviceToHost, s));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s) {
  return driverResult(cudaMemcpyAsync(pointerTo(to), pointerTo(from), bytes, cudaMemcpyDeviceToDevice, s));
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t n) {
  return driverResult(cudaMemset(pointerTo(to), value, n));
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream s) {
  return driverResult(cudaMemsetAsync(pointerTo(to), value, n, s));
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t n) { return fillElements(to, value, n); }
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t n) { return fillElements(to, value, n); }
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t n, CUstream s) {
  if (s <= cudaStreamPerThread || !s->capture) return fillElements(to, value, n);
  s->capture->nodes.push_back([=] { return cudaError_t(fillElements(to, value, n)); });
  return CUDA_SUCCESS;
}
