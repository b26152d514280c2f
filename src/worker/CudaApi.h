// The functions of the CUDA driver, NVRTC and NVML that the worker uses, loaded at run time. Types are those
// of the drivers' binary interface; no CUDA header is needed to build.
#pragma once

#include <cstddef>
#include <cstdint>

#include "worker/SharedLibrary.h"

namespace hone::worker {

struct CudaApi {
  using Handle = void*;
  using DevicePtr = unsigned long long;

  CudaApi();  // throws std::runtime_error when the driver cannot be loaded or started
  static const CudaApi& get();

  SharedLibrary library;
  int (*init)(unsigned) = nullptr;
  int (*driverVersion)(int*) = nullptr;
  int (*deviceCount)(int*) = nullptr;
  int (*deviceGet)(int*, int) = nullptr;
  int (*deviceName)(char*, int, int) = nullptr;
  int (*deviceAttribute)(int*, int, int) = nullptr;
  int (*deviceMemory)(size_t*, int) = nullptr;
  int (*devicePciBusId)(char*, int, int) = nullptr;
  int (*primaryContext)(Handle*, int) = nullptr;
  int (*setContext)(Handle) = nullptr;
  int (*synchronize)() = nullptr;
  int (*memInfo)(size_t*, size_t*) = nullptr;
  int (*memAlloc)(DevicePtr*, size_t) = nullptr;
  int (*memFree)(DevicePtr) = nullptr;
  int (*copyToDevice)(DevicePtr, const void*, size_t) = nullptr;
  int (*copyToHost)(void*, DevicePtr, size_t) = nullptr;
  int (*copyOnDevice)(DevicePtr, DevicePtr, size_t, Handle) = nullptr;
  int (*loadModule)(Handle*, const void*) = nullptr;
  int (*unloadModule)(Handle) = nullptr;
  int (*getFunction)(Handle*, Handle, const char*) = nullptr;
  int (*functionAttribute)(int*, int, Handle) = nullptr;
  int (*setFunctionAttribute)(Handle, int, int) = nullptr;
  int (*occupancy)(int*, Handle, int, size_t) = nullptr;
  int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**,
                void**) = nullptr;
  int (*launchCooperative)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           Handle, void**) = nullptr;
  // Memory in the order of a stream; null where the driver is too old for it.
  int (*defaultPool)(Handle*, int) = nullptr;
  int (*setPoolAttribute)(Handle, int, void*) = nullptr;
  int (*allocateInOrder)(DevicePtr*, size_t, Handle) = nullptr;
  int (*freeInOrder)(DevicePtr, Handle) = nullptr;
  int (*eventCreate)(Handle*, unsigned) = nullptr;
  int (*eventRecord)(Handle, Handle) = nullptr;
  int (*eventSynchronize)(Handle) = nullptr;
  int (*eventElapsed)(float*, Handle, Handle) = nullptr;
  int (*errorName)(int, const char**) = nullptr;
  int (*errorText)(int, const char**) = nullptr;

  std::string describe(int error) const;  // "CUDA_ERROR_INVALID_VALUE: invalid argument"
};

// Of CUdevice_attribute and CUfunction_attribute.
enum CudaDeviceAttribute {
  kClockKHz = 13,
  kMultiprocessors = 16,
  kL2Bytes = 38,
  kComputeMajor = 75,
  kComputeMinor = 76,
  kSharedPerBlockOptin = 97,
};
enum CudaFunctionAttribute {
  kFunctionShared = 1,
  kFunctionConstant = 2,
  kFunctionLocal = 3,
  kFunctionRegisters = 4,
  kFunctionMaxDynamicShared = 8,
};
constexpr int kPoolReleaseThreshold = 4;  // of CUmemPool_attribute
enum CudaErrorCode { kInvalidValue = 1, kOutOfMemory = 2, kLaunchOutOfResources = 701, kTooManyBlocks = 720 };

struct NvrtcApi {
  using Program = void*;

  NvrtcApi();  // throws std::runtime_error when NVRTC cannot be loaded
  static const NvrtcApi& get();

  SharedLibrary library;
  int (*version)(int*, int*) = nullptr;
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*addName)(Program, const char*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*logSize)(Program, size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubinSize)(Program, size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  int (*loweredName)(Program, const char*, const char**) = nullptr;
};

// Clocks and temperature; all zeros where NVML is absent.
struct NvmlApi {
  explicit NvmlApi(const char* pciBusId);

  SharedLibrary library;
  int (*clock)(void*, int, unsigned*) = nullptr;
  int (*temperatureOf)(void*, int, unsigned*) = nullptr;
  void* device = nullptr;
};

}  // namespace hone::worker
