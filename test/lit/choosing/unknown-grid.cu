// A kernel without sizes, launched with a grid that the source does not tell: what it gains at a few blocks says nothing of what it gains at
// thousands, so that the number of blocks is tried like any other size, and said to be a guess.
// RUN: %hone opt %s -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --trust-sizes -o - 2>&1 >/dev/null | FileCheck --check-prefix=TRUSTED %s
// RUN: %hone opt %s --grid 400 -o - 2>&1 >/dev/null | FileCheck --check-prefix=GIVEN %s
// CHECK: kernel `columns`: estimated {{.*}} times faster on {{.*}} (GUESSED: gridDim.x={{[0-9]+}}; give --grid)
// CHECK: pays {{.*}} sizes that it was estimated at
// TRUSTED: kernel `columns`: estimated {{.*}} times faster on {{.*}} (GUESSED: gridDim.x={{[0-9]+}}; give --grid)
// TRUSTED-NOT: pays
// GIVEN: kernel `columns`: estimated
// GIVEN-NOT: GUESSED
// GIVEN-NOT: pays
#include <cuda_runtime.h>

__global__ void columns(const float* __restrict__ a, float* __restrict__ sum) {
  int x = blockIdx.x * 128 + threadIdx.x;
  for (int i = 0; i < 512; ++i) sum[x] += a[i * 512 + x];
}

int blocksOf(const char* text);

void run(const char* text, const float* a, float* sum) { columns<<<blocksOf(text), 128>>>(a, sum); }
