// Which calls of the driver launch kernels or make nodes of graphs of them, and what each hands over.
#pragma once

#include <cupti.h>

#include <array>
#include <span>

namespace hone::capture {

struct LaunchCall {
  CUfunction function = nullptr;
  std::array<unsigned, 3> grid{}, block{};
  unsigned shared = 0;
  CUstream stream = nullptr;
  void** parameters = nullptr;
  void** extra = nullptr;
  bool isCooperative = false, isNode = false;
  bool isPerThread = false;  // where no stream is given it is the thread's own
  const char* name = nullptr;
  CUcontext context = nullptr;
};

struct LaunchingCall {
  CUpti_CallbackId id;
  void (*take)(LaunchCall& out, const void* given);
};

std::span<const LaunchingCall> launchingCalls();
std::span<const CUpti_CallbackId> freeingCalls();
// What begins to make a graph of a stream's operations, and what ends it.
std::span<const CUpti_CallbackId> beginningCalls();
std::span<const CUpti_CallbackId> endingCalls();

}  // namespace hone::capture
