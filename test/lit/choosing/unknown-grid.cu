// A kernel without sizes, launched with a grid that the source does not tell: what it gains at four blocks says nothing of what it gains at
// thousands, so nothing is bet on it.
// RUN: %hone opt %s -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --trust-sizes -o - 2>&1 >/dev/null | FileCheck --check-prefix=TRUSTED %s
// RUN: %hone opt %s --grid 4 -o - 2>&1 >/dev/null | FileCheck --check-prefix=TRUSTED %s
// CHECK: kernel `columns`: left as it is: how many blocks it is launched with is not known, and what it would gain hangs on that; give --grid, or --trust-sizes takes the guess
// TRUSTED: kernel `columns`: estimated {{.*}} times faster
#include <cuda_runtime.h>

__global__ void columns(const float* __restrict__ a, float* __restrict__ sum) {
  int x = blockIdx.x * 128 + threadIdx.x;
  for (int i = 0; i < 512; ++i) sum[x] += a[i * 512 + x];
}

int blocksOf(const char* text);

void run(const char* text, const float* a, float* sum) { columns<<<blocksOf(text), 128>>>(a, sum); }
