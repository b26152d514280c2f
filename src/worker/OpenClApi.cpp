#include "worker/OpenClApi.h"

namespace hone::worker {

OpenClApi::OpenClApi() : library({"libOpenCL.so.1", "libOpenCL.so"}) {
  if (!library) throw std::runtime_error("no OpenCL loader (" + library.whyNot() + ")");
  library.get(platforms, "clGetPlatformIDs");
  library.get(platformInfo, "clGetPlatformInfo");
  library.get(devices, "clGetDeviceIDs");
  library.get(deviceInfo, "clGetDeviceInfo");
  library.get(createContext, "clCreateContext");
  library.get(createQueue, "clCreateCommandQueue");
  library.get(createBuffer, "clCreateBuffer");
  library.get(createSubBuffer, "clCreateSubBuffer");
  library.get(releaseBuffer, "clReleaseMemObject");
  library.get(write, "clEnqueueWriteBuffer");
  library.get(read, "clEnqueueReadBuffer");
  library.get(copy, "clEnqueueCopyBuffer");
  library.get(createProgram, "clCreateProgramWithSource");
  library.get(build, "clBuildProgram");
  library.get(buildInfo, "clGetProgramBuildInfo");
  library.get(releaseProgram, "clReleaseProgram");
  library.get(createKernel, "clCreateKernel");
  library.get(releaseKernel, "clReleaseKernel");
  library.get(kernelGroupInfo, "clGetKernelWorkGroupInfo");
  library.get(setArgument, "clSetKernelArg");
  library.get(launch, "clEnqueueNDRangeKernel");
  library.get(finish, "clFinish");
  library.get(eventTimes, "clGetEventProfilingInfo");
  library.get(releaseEvent, "clReleaseEvent");
}

const OpenClApi& OpenClApi::get() {
  static const OpenClApi api;
  return api;
}

std::string openClError(int error) {
  switch (error) {
    case -4: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case -5: return "CL_OUT_OF_RESOURCES";
    case -6: return "CL_OUT_OF_HOST_MEMORY";
    case -11: return "CL_BUILD_PROGRAM_FAILURE";
    case -13: return "CL_MISALIGNED_SUB_BUFFER_OFFSET";
    case -36: return "CL_INVALID_COMMAND_QUEUE";
    case -46: return "CL_INVALID_KERNEL_NAME";
    case -51: return "CL_INVALID_ARG_SIZE";
    case -52: return "CL_INVALID_KERNEL_ARGS";
    case -54: return "CL_INVALID_WORK_GROUP_SIZE";
    case -55: return "CL_INVALID_WORK_ITEM_SIZE";
    case -61: return "CL_INVALID_BUFFER_SIZE";
    default: return "OpenCL error " + std::to_string(error);
  }
}

}  // namespace hone::worker
