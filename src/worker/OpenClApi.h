// The OpenCL 1.2 functions that the worker uses, from the ICD loader at run time. Types are those of OpenCL's
// binary interface.
#pragma once

#include <cstddef>
#include <cstdint>

#include "worker/SharedLibrary.h"

namespace hone::worker {

struct OpenClApi {
  using Handle = void*;

  OpenClApi();  // throws std::runtime_error when there is no loader
  static const OpenClApi& get();

  SharedLibrary library;
  int (*platforms)(unsigned, Handle*, unsigned*) = nullptr;
  int (*platformInfo)(Handle, unsigned, size_t, void*, size_t*) = nullptr;
  int (*devices)(Handle, uint64_t, unsigned, Handle*, unsigned*) = nullptr;
  int (*deviceInfo)(Handle, unsigned, size_t, void*, size_t*) = nullptr;
  Handle (*createContext)(const intptr_t*, unsigned, const Handle*, void*, void*, int*) = nullptr;
  Handle (*createQueue)(Handle, Handle, uint64_t, int*) = nullptr;
  Handle (*createBuffer)(Handle, uint64_t, size_t, void*, int*) = nullptr;
  Handle (*createSubBuffer)(Handle, uint64_t, unsigned, const void*, int*) = nullptr;
  int (*releaseBuffer)(Handle) = nullptr;
  int (*write)(Handle, Handle, unsigned, size_t, size_t, const void*, unsigned, const Handle*,
               Handle*) = nullptr;
  int (*read)(Handle, Handle, unsigned, size_t, size_t, void*, unsigned, const Handle*, Handle*) = nullptr;
  int (*copy)(Handle, Handle, Handle, size_t, size_t, size_t, unsigned, const Handle*, Handle*) = nullptr;
  Handle (*createProgram)(Handle, unsigned, const char**, const size_t*, int*) = nullptr;
  int (*build)(Handle, unsigned, const Handle*, const char*, void*, void*) = nullptr;
  int (*buildInfo)(Handle, Handle, unsigned, size_t, void*, size_t*) = nullptr;
  int (*releaseProgram)(Handle) = nullptr;
  Handle (*createKernel)(Handle, const char*, int*) = nullptr;
  int (*releaseKernel)(Handle) = nullptr;
  int (*kernelGroupInfo)(Handle, Handle, unsigned, size_t, void*, size_t*) = nullptr;
  int (*setArgument)(Handle, unsigned, size_t, const void*) = nullptr;
  int (*launch)(Handle, Handle, unsigned, const size_t*, const size_t*, const size_t*, unsigned,
                const Handle*, Handle*) = nullptr;
  int (*finish)(Handle) = nullptr;
  int (*eventTimes)(Handle, unsigned, size_t, void*, size_t*) = nullptr;
  int (*releaseEvent)(Handle) = nullptr;
};

std::string openClError(int error);  // "CL_OUT_OF_RESOURCES"

}  // namespace hone::worker
