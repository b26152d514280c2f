// Arguments of kernels as an OpenCL program set them, for libraries that are loaded into it.
#pragma once

#include <CL/cl_layer.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace hone::capture {

struct KernelArgument {
  std::vector<uint8_t> value;
  bool isSet = false;
  bool isLocal = false;  // memory of a work-group: the value is how much
  bool isSvm = false;
};

struct KernelState {
  std::string name;
  std::vector<KernelArgument> arguments;
};

// A kernel of which nothing was set yet; `next` are the driver's functions.
inline KernelState newKernelState(const cl_icd_dispatch& next, cl_kernel kernel) {
  KernelState state;
  char name[4096] = {};
  cl_uint count = 0;
  next.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, nullptr);
  next.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr);
  state.name = *name ? name : "?";
  state.arguments.resize(count);
  return state;
}

// What clSetKernelArg was given. Without a value it is a size of memory of a work-group; or a buffer that is
// none, whose size is that of a handle and of which nothing is read.
inline KernelArgument argumentOf(size_t bytes, const void* value) {
  KernelArgument argument;
  argument.isSet = true;
  if (value) {
    argument.value.assign(static_cast<const uint8_t*>(value), static_cast<const uint8_t*>(value) + bytes);
    return argument;
  }
  const uint64_t size = bytes;
  argument.isLocal = true;
  argument.value.resize(sizeof size);
  std::memcpy(argument.value.data(), &size, sizeof size);
  return argument;
}

}  // namespace hone::capture
