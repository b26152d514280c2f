// Stands for cuda_runtime.h where kernels are compiled for the CPU: what launch functions call, launches
// themselves, and the description of a kernel that the runner asks a library for.
#pragma once

#include <assert.h>
#include <stdio.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "judge_warp.h"

typedef struct JudgeStream* cudaStream_t;
typedef struct JudgeEvent* cudaEvent_t;
enum cudaError_t { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef cudaError_t cudaError;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize,
  cudaFuncAttributePreferredSharedMemoryCarveout
};

namespace judge {

struct Config {
  dim3 grid, block;
  size_t shared;
  Config(dim3 g, dim3 b, size_t s = 0, cudaStream_t = nullptr) : grid(g), block(b), shared(s) {}
};

using Body = void (*)(void*);
// Runs the body once for each thread. `name` is the kernel's as the source says it.
void runGrid(const char* name, const Config& config, bool isCooperative, Body body, void* closure);
void* allocate(size_t bytes);
bool release(void* at);

template <class F>
void launchThreads(const char* name, const Config& config, bool isCooperative, F f) {
  runGrid(name, config, isCooperative, [](void* closure) { (*static_cast<F*>(closure))(); }, &f);
}
template <class Call, class... A>
void launch(const char* name, const Config& config, Call call, A... args) {
  launchThreads(name, config, false, [=] { call(args...); });
}
template <class... P, size_t... I>
void launchFrom(const char* name, const Config& config, bool isCooperative, void (*kernel)(P...), void** args,
                std::index_sequence<I...>) {
  std::tuple<std::remove_cv_t<std::remove_reference_t<P>>...> copies{
      *static_cast<std::remove_cv_t<std::remove_reference_t<P>>*>(args[I])...};
  launchThreads(name, config, isCooperative, [=]() mutable { kernel(std::get<I>(copies)...); });
}
template <class... P>
cudaError_t launchArray(const char* name, bool isCooperative, void (*kernel)(P...), dim3 grid, dim3 block,
                        void** args, size_t shared = 0, cudaStream_t = nullptr) {
  launchFrom(name, Config(grid, block, shared), isCooperative, kernel, args, std::index_sequence_for<P...>());
  return cudaSuccess;
}

// The kind of a parameter, or of the numbers that it points to.
enum class Kind : int { Other, Signed, Unsigned, Float };
struct Param {
  bool isPointer;
  int kind, scalarBytes, bytes;  // bytes: of the element or the value
};
struct Entry {
  const Param* params;
  int count;
  void (*call)(const Config&, void** args);
  char *sharedBegin, *sharedEnd;
};
template <class T>
constexpr Kind kindOf() {
  return std::is_same_v<T, _Float16> || std::is_same_v<T, __bf16> || std::is_floating_point_v<T> ? Kind::Float
         : std::is_enum_v<T>      ? Kind::Signed
         : !std::is_integral_v<T> ? Kind::Other
         : std::is_signed_v<T>    ? Kind::Signed
                                  : Kind::Unsigned;
}
template <class P>
constexpr Param paramOf() {
  using V = std::remove_cv_t<std::remove_reference_t<P>>;
  using E = std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<V>>>;
  using S = typename judge_scalar<std::conditional_t<std::is_void_v<E>, unsigned char, E>>::type;
  if constexpr (std::is_pointer_v<V>)
    return {true, int(kindOf<S>()), int(sizeof(S)),
            int(sizeof(std::conditional_t<std::is_void_v<E>, char, E>))};
  else
    return {false, int(kindOf<V>()), int(sizeof(V)), int(sizeof(V))};
}
template <class... P>
struct ParamsOf {
  static constexpr Param list[sizeof...(P) + 1] = {paramOf<P>()..., Param{}};
};

}  // namespace judge

extern "C" char __start_judge_shared[] __attribute__((visibility("hidden"), weak));
extern "C" char __stop_judge_shared[] __attribute__((visibility("hidden"), weak));

namespace judge {
template <auto Kernel>
struct OfKernel;
template <class... P, void (*Kernel)(P...)>
struct OfKernel<Kernel> {
  static void call(const Config& config, void** args) {
    launchFrom("the original", config, true, Kernel, args, std::index_sequence_for<P...>());
  }
  static Entry entry() {
    return {ParamsOf<P...>::list, int(sizeof...(P)), call, __start_judge_shared, __stop_judge_shared};
  }
};
template <auto Launch>
struct OfLaunch;
template <class R, class... P, R (*Launch)(dim3, dim3, size_t, cudaStream_t, P...)>
struct OfLaunch<Launch> {
  template <size_t... I>
  static void callWith(const Config& config, void** args, std::index_sequence<I...>) {
    Launch(config.grid, config.block, config.shared, nullptr,
           *static_cast<std::remove_cv_t<std::remove_reference_t<P>>*>(args[I])...);
  }
  static void call(const Config& config, void** args) {
    callWith(config, args, std::index_sequence_for<P...>());
  }
  static Entry entry() {
    return {ParamsOf<P...>::list, int(sizeof...(P)), call, __start_judge_shared, __stop_judge_shared};
  }
};
}  // namespace judge

#define cudaLaunchCooperativeKernel(kernel, ...) judge::launchArray(#kernel, true, kernel, __VA_ARGS__)
#define cudaLaunchKernel(kernel, ...) judge::launchArray(#kernel, false, kernel, __VA_ARGS__)

template <class T>
inline cudaError_t cudaMalloc(T** out, size_t bytes) {
  *out = static_cast<T*>(judge::allocate(bytes));
  return *out ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <class T>
inline cudaError_t cudaMallocAsync(T** out, size_t bytes, cudaStream_t) {
  return cudaMalloc(out, bytes);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** out, size_t bytes) {
  return cudaMalloc(out, bytes);
}
static inline cudaError_t cudaFree(void* at) {
  return judge::release(at) ? cudaSuccess : cudaErrorInvalidValue;
}
static inline cudaError_t cudaFreeAsync(void* at, cudaStream_t) { return cudaFree(at); }
static inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  memmove(to, from, bytes);
  return cudaSuccess;
}
static inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                                          cudaStream_t) {
  memmove(to, from, bytes);
  return cudaSuccess;
}
static inline cudaError_t cudaMemset(void* at, int value, size_t bytes) {
  memset(at, value, bytes);
  return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void* at, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(at, value, bytes);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(T& to, const void* from, size_t bytes) {
  memcpy((void*)&to, from, bytes);
  return cudaSuccess;
}
template <class K>
inline cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute, int) {
  return cudaSuccess;
}
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
static inline const char* cudaGetErrorString(cudaError_t) { return "an error"; }

#define __noinline__
