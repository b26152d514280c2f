// A kernel with a size that no test ties to its grid: how many blocks there are is tried like a size of its own, and asked before the launch.
// The product of three sizes is asked in double: in 64 bits it could overflow, and a test against that would keep the fast version from all
// but the smallest sizes.
// RUN: %hone opt %s --target h200 -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// CHECK: kernel `transpose`: estimated {{.*}} times faster on {{.*}} (GUESSED: gridDim.x={{[0-9]+}} gridDim.y={{[0-9]+}} w={{[0-9]+}}; give sizes with --set and --grid)
// CHECK: pays where gridDim.x * gridDim.y * w > {{[0-9]+}}
// TEXT-NOT: w <=
// TEXT: const bool pays = (double)grid.x * grid.y * w > {{[0-9]+}};
#include <cuda_runtime.h>

__global__ void transpose(float* out, const float* in, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * w + y] = in[y * w + x];
}

void run(float* out, const float* in, int w, dim3 grid) { transpose<<<grid, dim3(16, 16)>>>(out, in, w); }
