// What hone puts behind a definition ends its line where more stands on it.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// REMARK: kernel `fill`: rewritten beside the original; 1 of 1 launch now calls fill_launch
extern "C" { __global__ void fill(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = 1; } }
// CHECK: }  // extern "C++"
// CHECK-NEXT: {{^ *}}}
// REMARK: kernel `more`: rewritten beside the original; no launch of it is in sight
namespace inner { __global__ void more(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] += 1; } }
// CHECK: #ifndef __CUDACC_RTC__
// CHECK: #ifndef HONE_OFF
// CHECK: #endif
// CHECK: #endif
// CHECK-NEXT: {{^ *}}}
void run(float* b, int n) { fill<<<(n + 255) / 256, 256>>>(b, n); }
