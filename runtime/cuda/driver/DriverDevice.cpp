// Devices and contexts. There is one device, and contexts are names only: what is allocated in one is there
// in all.
#include <cstdio>

#include "Driver.h"

using namespace hone::cuda;

struct CUctx_st {
  int number;
};

namespace {

CUctx_st primary{0};
thread_local std::vector<CUcontext> current;

cudaDeviceProp properties() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  return p;
}

}  // namespace

CUresult cuInit(unsigned flags) {
  Runtime::get();
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) { return driverResult(cudaDriverGetVersion(version)); }
CUresult cuDeviceGetCount(int* n) { return driverResult(cudaGetDeviceCount(n)); }
CUresult cuDeviceGet(CUdevice* device, int number) {
  if (number != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* text, int size, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  std::snprintf(text, size_t(size), "%s", properties().name);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice) {
  *bytes = properties().totalGlobalMem;
  return CUDA_SUCCESS;
}
// The numbers are those of the runtime API.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
  return driverResult(cudaDeviceGetAttribute(value, cudaDeviceAttr(which), device));
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice) {
  const cudaDeviceProp p = properties();
  *major = p.major;
  *minor = p.minor;
  return CUDA_SUCCESS;
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice from, CUdevice to) {
  return driverResult(cudaDeviceCanAccessPeer(can, from, to));
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = &primary;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
CUresult cuCtxCreate(CUcontext* context, unsigned, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  static int made = 0;
  *context = new CUctx_st{++made};
  current.push_back(*context);
  return CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams*, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
CUresult cuCtxDestroy(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  std::erase(current, context);
  if (context != &primary) delete context;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = current.empty() ? nullptr : current.back();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  if (!current.empty()) current.pop_back();
  if (context) current.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
  if (!context) return CUDA_ERROR_INVALID_CONTEXT;
  current.push_back(context);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context) *context = current.back();
  current.pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() { return driverResult(cudaDeviceSynchronize()); }

// Streams and events are those of the runtime API.

CUresult cuStreamCreate(CUstream* s, unsigned flags) {
  return driverResult(cudaStreamCreateWithFlags(s, flags));
}
CUresult cuStreamCreateWithPriority(CUstream* s, unsigned flags, int priority) {
  return driverResult(cudaStreamCreateWithPriority(s, flags, priority));
}
CUresult cuStreamSynchronize(CUstream s) { return driverResult(cudaStreamSynchronize(s)); }
CUresult cuStreamQuery(CUstream s) { return driverResult(cudaStreamQuery(s)); }
CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags) {
  return driverResult(cudaStreamWaitEvent(s, e, flags));
}
CUresult cuStreamDestroy(CUstream s) { return driverResult(cudaStreamDestroy(s)); }
CUresult cuEventCreate(CUevent* e, unsigned flags) {
  return driverResult(cudaEventCreateWithFlags(e, flags));
}
CUresult cuEventRecord(CUevent e, CUstream s) { return driverResult(cudaEventRecord(e, s)); }
CUresult cuEventSynchronize(CUevent e) { return driverResult(cudaEventSynchronize(e)); }
CUresult cuEventQuery(CUevent e) { return driverResult(cudaEventQuery(e)); }
CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to) {
  return driverResult(cudaEventElapsedTime(ms, from, to));
}
CUresult cuEventDestroy(CUevent e) { return driverResult(cudaEventDestroy(e)); }
CUresult cuLaunchHostFunc(CUstream s, CUhostFn fn, void* data) {
  return driverResult(cudaLaunchHostFunc(s, fn, data));
}
