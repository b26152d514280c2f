#include "worker/CudaApi.h"

namespace hone::worker {

CudaApi::CudaApi() : library({"libcuda.so.1", "libcuda.so"}) {
  if (!library) throw std::runtime_error("no CUDA driver (" + library.whyNot() + ")");
  library.get(init, "cuInit");
  library.get(driverVersion, "cuDriverGetVersion");
  library.get(deviceCount, "cuDeviceGetCount");
  library.get(deviceGet, "cuDeviceGet");
  library.get(deviceName, "cuDeviceGetName");
  library.get(deviceAttribute, "cuDeviceGetAttribute");
  library.get(deviceMemory, "cuDeviceTotalMem_v2");
  library.get(devicePciBusId, "cuDeviceGetPCIBusId");
  library.get(primaryContext, "cuDevicePrimaryCtxRetain");
  library.get(setContext, "cuCtxSetCurrent");
  library.get(synchronize, "cuCtxSynchronize");
  library.get(memInfo, "cuMemGetInfo_v2");
  library.get(memAlloc, "cuMemAlloc_v2");
  library.get(memFree, "cuMemFree_v2");
  library.get(copyToDevice, "cuMemcpyHtoD_v2");
  library.get(copyToHost, "cuMemcpyDtoH_v2");
  library.get(copyOnDevice, "cuMemcpyDtoDAsync_v2");
  library.get(loadModule, "cuModuleLoadData");
  library.get(unloadModule, "cuModuleUnload");
  library.get(getFunction, "cuModuleGetFunction");
  library.get(functionAttribute, "cuFuncGetAttribute");
  library.get(setFunctionAttribute, "cuFuncSetAttribute");
  library.get(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  library.get(launch, "cuLaunchKernel");
  library.get(launchCooperative, "cuLaunchCooperativeKernel");
  if (!library.tryGet(defaultPool, "cuDeviceGetDefaultMemPool") ||
      !library.tryGet(setPoolAttribute, "cuMemPoolSetAttribute") ||
      !library.tryGet(freeInOrder, "cuMemFreeAsync") || !library.tryGet(allocateInOrder, "cuMemAllocAsync"))
    allocateInOrder = nullptr;
  library.get(eventCreate, "cuEventCreate");
  library.get(eventRecord, "cuEventRecord");
  library.get(eventSynchronize, "cuEventSynchronize");
  library.get(eventElapsed, "cuEventElapsedTime");
  library.get(errorName, "cuGetErrorName");
  library.get(errorText, "cuGetErrorString");
  if (int error = init(0)) throw std::runtime_error("the CUDA driver does not start: " + describe(error));
}

const CudaApi& CudaApi::get() {
  static const CudaApi api;
  return api;
}

std::string CudaApi::describe(int error) const {
  const char *named = nullptr, *text = nullptr;
  errorName(error, &named);
  errorText(error, &text);
  return std::string(named ? named : "error " + std::to_string(error)) + ": " + (text ? text : "no text");
}

NvrtcApi::NvrtcApi()
    : library({"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"}) {
  if (!library)
    throw std::runtime_error("no NVRTC, which compiles CUDA at run time (" + library.whyNot() + ")");
  library.get(version, "nvrtcVersion");
  library.get(create, "nvrtcCreateProgram");
  library.get(destroy, "nvrtcDestroyProgram");
  library.get(addName, "nvrtcAddNameExpression");
  library.get(compile, "nvrtcCompileProgram");
  library.get(logSize, "nvrtcGetProgramLogSize");
  library.get(log, "nvrtcGetProgramLog");
  library.get(cubinSize, "nvrtcGetCUBINSize");
  library.get(cubin, "nvrtcGetCUBIN");
  library.get(loweredName, "nvrtcGetLoweredName");
}

const NvrtcApi& NvrtcApi::get() {
  static const NvrtcApi api;
  return api;
}

NvmlApi::NvmlApi(const char* pciBusId) : library({"libnvidia-ml.so.1"}) {
  int (*start)() = nullptr;
  int (*find)(const char*, void**) = nullptr;
  if (!library || !library.tryGet(start, "nvmlInit_v2") || !library.tryGet(clock, "nvmlDeviceGetClockInfo") ||
      !library.tryGet(temperatureOf, "nvmlDeviceGetTemperature") ||
      !library.tryGet(find, "nvmlDeviceGetHandleByPciBusId_v2"))
    return;
  if (start() != 0 || find(pciBusId, &device) != 0) device = nullptr;
}

}  // namespace hone::worker
