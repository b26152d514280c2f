// What a second run reads off the launches is what the first read: they are looked at in the text without what hone wrote into it, blocks of
// launches in templates too.
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu && cp %s %t/before.cu
// RUN: %hone opt %t/k.cu --in-place --target h200 --set w=2048 --set h=2048 --no-verify 2>&1 | FileCheck %s
// RUN: cp %t/k.cu %t/first.cu
// RUN: %hone opt %t/k.cu --in-place --target h200 --set w=2048 --set h=2048 --no-verify 2>&1 | FileCheck %s
// RUN: cmp %t/k.cu %t/first.cu
// RUN: %hone revert %t/k.cu
// RUN: cmp %t/k.cu %t/before.cu
// CHECK-NOT: GUESSED
#include <cuda_runtime.h>

template <typename T, int Pad = 0>
__global__ void turn(const T* a, T* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x] + Pad;
}

void host(float* a, float* b, double* c, double* d, int w, int h) {
  dim3 g((w + 31) / 32, (h + 7) / 8), t(32, 8);
  turn<float><<<g, t>>>(a, b, w, h);
  turn<double, 3><<<g, t>>>(c, d, w, h);
}
