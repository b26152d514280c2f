// NVRTC: source compiled while the program runs, loaded by the driver API: names as they are and of expressions, templates, headers by name,
// macros, variables, both forms of the result; what each call says when it is not time for it.
// RUN: rm -rf %t && mkdir %t && cd %t && echo '__device__ float fromFile() { return 1000; }' > beside.h && mkdir more && echo '#define MORE 0.5f' > more/more.h
// RUN: %hone build %s -o program -lnvrtc -lcuda && ./program 2>&1 | FileCheck %s
// RUN: %hone run %s -lnvrtc -lcuda 2>&1 | FileCheck %s
// RUN: cp %s plain.cpp && %hone build plain.cpp -o plain -lnvrtc -lcuda && ./plain 2>&1 | FileCheck %s
// A toolkit's folder on the command line comes behind hone's headers.
// RUN: mkdir -p toolkit/include && cd toolkit/include && echo '#error the toolkit' > cuda.h && cp cuda.h cuda_runtime.h && cp cuda.h driver_types.h && cp cuda.h nvrtc.h
// RUN: cd %t && %hone build plain.cpp -o behind -I toolkit/include -lnvrtc -lcuda && ./behind 2>&1 | FileCheck %s
#define NVRTC_GET_TYPE_NAME 1
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

const char* const source = R"(#include "half.h"
#include <deep/twice.h>
#include "beside.h"
#include <more.h>
#ifndef __CUDACC_RTC__
#error not compiled at run time
#endif
#ifdef __NVCC__
#error compiled by nvcc
#endif
typedef unsigned int uint32_t;
namespace ns {
__constant__ float factor = 2;
__device__ int calls;
}
static __constant__ float hidden = 0;
namespace ns {
template <typename T, int N> __global__ void scale(T* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * T(N) * T(factor) + T(hidden);
  if (i == 0) ++calls;
}
}
extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = half(a[i]) + twice(b[i]) + fromFile() + MORE + OFFSET;
}
__global__ void clear(float* x) { x[threadIdx.x] = 0; }
static __global__ void quiet(float* x) { x[threadIdx.x] = 0; }
)";
const char* const headers[] = {"__device__ float half(float x) { return x / 2; }\n",
                               "#include \"constants.h\"\n__device__ float twice(float x) { return TWO * x; }\n",
                               "#define TWO 2\n"};
const char* const names[] = {"half.h", "deep/twice.h", "deep/constants.h"};

CUdeviceptr fill(const std::vector<float>& from) {
  CUdeviceptr p;
  cuMemAlloc(&p, from.size() * sizeof(float));
  cuMemcpyHtoD(p, from.data(), from.size() * sizeof(float));
  return p;
}
float lastOf(CUdeviceptr p, int n) {
  float x;
  cuMemcpyDtoH(&x, p + (n - 1) * sizeof(float), sizeof x);
  return x;
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  cuInit(0);
  CUdevice device;
  CUcontext context;
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);
  int major, minor, count;
  nvrtcVersion(&major, &minor);
  nvrtcGetNumSupportedArchs(&count);
  std::vector<int> list(count);
  nvrtcGetSupportedArchs(list.data());
  // CHECK: version 12.8, the last of {{[0-9]+}} architectures is 120
  printf("version %d.%d, the last of %d architectures is %d\n", major, minor, count, list.back());

  std::string type;
  nvrtcGetTypeName<const std::vector<float>*&>(&type);
  // CHECK: type std::vector<float, std::allocator<float>{{ ?}}> const*&
  printf("type %s\n", type.c_str());

  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "made.cu", 3, headers, names);
  const char* const expressions[] = {"ns::scale<float, 3>", "&ns::scale<int, 2>", "&ns::factor", "ns::calls", "clear"};
  for (const char* e : expressions) nvrtcAddNameExpression(program, e);
  const char* lowered;
  // CHECK: before: NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION
  printf("before: %s\n", nvrtcGetErrorString(nvrtcGetLoweredName(program, expressions[0], &lowered)));
  const char* const options[] = {"--gpu-architecture=sm_90", "-DOFFSET=0.25f", "-I", "more", "--std=c++17", "-use_fast_math"};
  // CHECK: compiled: NVRTC_SUCCESS
  printf("compiled: %s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 6, options)));
  size_t size;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, 0);
  nvrtcGetProgramLog(program, &log[0]);
  // CHECK: log of 1: ''
  printf("log of %zu: '%s'\n", size, log.c_str());
  // CHECK: after: NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION
  printf("after: %s\n", nvrtcGetErrorString(nvrtcAddNameExpression(program, "clear")));
  // CHECK: _ZN2ns5scaleIfLi3EEEvPT_i _ZN2ns5scaleIiLi2EEEvPT_i _ZN2ns6factorE _ZN2ns5callsE _Z5clearPf
  std::vector<std::string> found;
  for (const char* e : expressions) {
    nvrtcGetLoweredName(program, e, &lowered);
    found.push_back(lowered);
    printf("%s ", lowered);
  }
  // CHECK: unknown: NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID
  printf("\nunknown: %s\n", nvrtcGetErrorString(nvrtcGetLoweredName(program, "add", &lowered)));

  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, 0);
  nvrtcGetPTX(program, &ptx[0]);
  // CHECK: PTX is text: 1
  printf("PTX is text: %d\n", strlen(ptx.c_str()) + 1 == size && ptx.find(".visible .entry add(") != ptx.npos);
  nvrtcGetCUBINSize(program, &size);
  std::vector<char> cubin(size);
  nvrtcGetCUBIN(program, cubin.data());
  // CHECK: hone: NVRTC has no LTO IR for the embedded device
  // CHECK: no LTO IR: NVRTC_ERROR_INVALID_PROGRAM, size 0
  const nvrtcResult refused = nvrtcGetLTOIR(program, cubin.data());
  nvrtcGetLTOIRSize(program, &size);
  printf("no LTO IR: %s, size %zu\n", nvrtcGetErrorString(refused), size);
  nvrtcDestroyProgram(&program);
  // CHECK: gone: 1
  printf("gone: %d\n", program == nullptr);

  const int n = 40;
  for (const char* image : {ptx.c_str(), static_cast<const char*>(cubin.data())}) {
    CUmodule module;
    CUfunction add, scale;
    // CHECK: loaded 0 0 0 500 0
    printf("loaded %d", cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr));
    printf(" %d", cuModuleGetFunction(&add, module, "add"));
    printf(" %d", cuModuleGetFunction(&scale, module, found[0].c_str()));
    CUfunction none;
    printf(" %d", cuModuleGetFunction(&none, module, "scale"));
    printf(" %d\n", cuModuleGetFunction(&none, module, "_Z5quietPf"));
    CUdeviceptr a = fill(std::vector<float>(n, 8)), b = fill(std::vector<float>(n, 20)), c = fill(std::vector<float>(n, 0));
    int length = n;
    void* ofAdd[] = {&a, &b, &c, &length};
    cuLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, nullptr, ofAdd, nullptr);
    cuCtxSynchronize();
    CUdeviceptr factor, calls;
    size_t bytes;
    cuModuleGetGlobal(&factor, &bytes, module, found[2].c_str());
    const float ten = 10;
    cuMemcpyHtoD(factor, &ten, bytes);
    CUdeviceptr hidden;  // static variables go by their names as well
    cuModuleGetGlobal(&hidden, &bytes, module, "hidden");
    cuMemcpyHtoD(hidden, &ten, bytes);
    void* ofScale[] = {&b, &length};
    cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, ofScale, nullptr);
    cuCtxSynchronize();
    cuModuleGetGlobal(&calls, &bytes, module, found[3].c_str());
    int called;
    cuMemcpyDtoH(&called, calls, bytes);
    // CHECK-NEXT: 1044.75 610, 1 call
    // CHECK-NEXT: loaded 0 0 0 500 0
    // CHECK-NEXT: 1044.75 610, 1 call
    printf("%g %g, %d call\n", lastOf(c, n), lastOf(b, n), called);
  }
  // CHECK-NOT: {{.}}
}
