// A store that changes what was staged: the fast kernel runs only where a test before the launch says that the arrays lie apart.
// RUN: %hone verify %s --kernel running --recipe 'block(x=32) stage(b, depth=16)' --set w=37 --set k=40 | FileCheck %s
// RUN: %hone verify %s --kernel running --recipe 'block(x=32) stage(b, depth=16)' --set w=1 --set k=40 --grid 1 --block 64 --alias c=b+1 --exact | FileCheck %s
// RUN: %hone verify %s --kernel running --recipe 'block(x=32) stage(b, depth=16)' --set w=1 --set k=40 --grid 1 --block 64 --alias b=c+39 --exact | FileCheck %s
// RUN: %hone verify %s --kernel running --recipe 'block(x=32) stage(b, depth=16)' --set w=1 --set k=40 --grid 1 --block 64 --alias c=b+40 --exact | FileCheck %s
// RUN: %hone verify %s --kernel running --recipe 'block(x=32) stage(b, depth=16)' --assume-noalias --set w=37 --set k=40 | FileCheck %s
// Without the test the result would be wrong:
// RUN: not %hone verify %s --kernel running --recipe 'block(x=32) stage(b, depth=16)' --assume-noalias --set w=1 --set k=40 --grid 1 --block 64 --alias c=b+1 --exact | FileCheck --check-prefix=WRONG %s
// RUN: not %hone verify %s --kernel promised --recipe 'block(x=32) stage(b, depth=16)' --set w=1 --set k=40 --grid 1 --block 64 --alias c=b+1 --exact | FileCheck --check-prefix=WRONG %s
// CHECK: equal
// WRONG: NOT EQUAL

__global__ void running(const float* b, float* c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += b[i];
      c[x * k + i] = sum;
    }
  }
}

__global__ void promised(const float* __restrict__ b, float* __restrict__ c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += b[i];
      c[x * k + i] = sum;
    }
  }
}
