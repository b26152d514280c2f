// What tests of runtime/acc share: kernels and launchers as `hone acc` would make them, and short names for calls of it.
#pragma once
#include <hone_acc.h>
#include <openacc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void addKernel(double* a, long n, double by) {
  const long k = long(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < n) a[k] += by;
}

// vars: 0 the pointer, 1 the number of elements, 2 what is added; item 0 is the pointer's section.
extern "C" inline void launchAdd(hone_acc_call* call) {
  auto* a = static_cast<double*>(hone_acc_moved(call, 0, *static_cast<double**>(call->vars[0])));
  const long n = *static_cast<long*>(call->vars[1]);
  const double by = *static_cast<double*>(call->vars[2]);
  if (n <= 0) return;
  addKernel<<<unsigned((n + 63) / 64), 64, 0, cudaStream_t(call->stream)>>>(a, n, by);
  hone_acc_launched(call, cudaGetLastError());
}

// A region that adds to all n elements of a, whose section is given by kind.
inline int addOn(const char* site, int kind, double* a, long n, double by, int async = hone_acc_sync) {
  return hone_acc_region(site, launchAdd, 1, 0, async, -1, 3, 0, 1, &a, &n, &by, kind, "a[0:n]", a,
                         (unsigned long)(n * long(sizeof(double))), nullptr);
}

inline void enter(const char* site, int kind, const char* name, void* a, unsigned long bytes, void* pointer = nullptr,
                  int async = hone_acc_sync) {
  hone_acc_enter_data(site, 1, async, -1, 1, kind, name, a, bytes, pointer);
}
inline void leave(const char* site, int kind, const char* name, void* a, unsigned long bytes, void* pointer = nullptr,
                  int async = hone_acc_sync) {
  hone_acc_exit_data(site, 1, async, -1, 1, kind, name, a, bytes, pointer);
}
inline void update(const char* site, int kind, const char* name, void* a, unsigned long bytes) {
  hone_acc_update(site, 1, hone_acc_sync, -1, 1, kind, name, a, bytes, nullptr);
}
