// What the program asks about the device: the target's description, as CUDA words it.
#include <cstdio>
#include <cstring>

#include "Runtime.h"

using namespace hone::cuda;

namespace {

// Of a target that is no GPU, 0.0.
hone::target::ComputeCapability capability(const hone::target::Target& t) {
  return t.computeCapability.value_or(hone::target::ComputeCapability());
}

bool isOurs(int device) { return device == 0; }

}  // namespace

cudaError_t cudaGetDeviceCount(int* n) {
  *n = 1;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return isOurs(device) ? cudaSuccess : result(cudaErrorInvalidDevice);
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  *flags = cudaDeviceMapHost;
  return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  if (!isOurs(device)) return result(cudaErrorInvalidDevice);
  const hone::target::Target& t = Runtime::get().target;
  std::memset(p, 0, sizeof *p);
  std::snprintf(p->name, sizeof p->name, "%s (hone's embedded device)", t.title.c_str());
  p->totalGlobalMem = size_t(t.memoryGB * 1e9);
  p->sharedMemPerBlock = t.sharedPerBlock;
  p->sharedMemPerBlockOptin = t.sharedPerBlockOptIn;
  p->sharedMemPerMultiprocessor = t.sharedPerMultiprocessor;
  p->regsPerBlock = int(t.registersPerBlock);
  p->regsPerMultiprocessor = int(t.registersPerMultiprocessor);
  p->warpSize = int(t.warpSize);
  p->memPitch = 2147483647;
  p->maxThreadsPerBlock = int(t.threadsPerBlock);
  p->maxThreadsPerMultiProcessor = int(t.threadsPerMultiprocessor);
  p->maxBlocksPerMultiProcessor = int(t.blocksPerMultiprocessor);
  for (int d = 0; d < 3; ++d) {
    p->maxThreadsDim[d] = int(t.maxBlock[size_t(d)]);
    p->maxGridSize[d] = int(t.maxGrid[size_t(d)]);
  }
  p->clockRate = int(t.clockGHz * 1e6);
  p->memoryClockRate = 1000000;
  p->memoryBusWidth = int(t.bandwidthGBs * 8 / 2);  // at that clock, both edges
  p->totalConstMem = 65536;
  p->major = int(capability(t).major);
  p->minor = int(capability(t).minor);
  p->textureAlignment = p->surfaceAlignment = 512;
  p->texturePitchAlignment = 32;
  p->deviceOverlap = 1;
  p->multiProcessorCount = int(t.multiprocessors);
  p->canMapHostMemory = 1;
  p->maxTexture1D = 131072;
  p->maxTexture1DLinear = 268435456;
  p->maxTexture2D[0] = 131072;
  p->maxTexture2D[1] = 65536;
  for (int& n : p->maxTexture3D) n = 16384;
  p->concurrentKernels = 1;
  p->asyncEngineCount = 2;
  p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = 1;
  p->l2CacheSize = int(t.l2KiB * 1024);
  p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  p->cooperativeLaunch = p->major >= 6;
  p->hostRegisterSupported = p->memoryPoolsSupported = 1;
  p->computePreemptionSupported = 1;
  p->canUseHostPointerForRegisteredMem = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  if (!isOurs(device)) return result(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *value = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *value = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *value = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *value = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(p.sharedMemPerBlock); break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrTotalConstantMemory: *value = int(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxPitch: *value = int(p.memPitch); break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrTextureAlignment: *value = int(p.textureAlignment); break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrMemoryPoolsSupported: *value = 1; break;
    default: *value = 0;
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceReset() {
  Runtime::get().synchronize();
  return cudaSuccess;
}
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
  Runtime::get().limits[std::to_string(int(which))] = value;
  if (which == cudaLimitMallocHeapSize) Runtime::get().device.memory.heapLimit = value;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit which) {
  auto& limits = Runtime::get().limits;
  auto it = limits.find(std::to_string(int(which)));
  *value = it != limits.end()                 ? it->second
           : which == cudaLimitStackSize      ? 1024
           : which == cudaLimitPrintfFifoSize ? 1 << 20
                                              : 8 << 20;
  return cudaSuccess;
}
cudaError_t cudaThreadSetLimit(cudaLimit which, size_t value) { return cudaDeviceSetLimit(which, value); }
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit which) { return cudaDeviceGetLimit(value, which); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* c) {
  *c = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* c) { return cudaDeviceGetCacheConfig(c); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* c) {
  *c = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return result(cudaErrorPeerAccessUnsupported); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return result(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int) {
  std::snprintf(text, size_t(size), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) { return cudaGetDevice(device); }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
