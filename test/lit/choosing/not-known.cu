// What follows from a guess is no better known than the guess, nor is a block that the host sets under a condition.
// RUN: %hone opt %s --trust-sizes --no-verify -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --trust-sizes --no-verify --set n=512 --block 128 -o - 2>&1 >/dev/null | FileCheck --check-prefix=GIVEN %s
// RUN: %hone opt %s --recipe promote --estimate --set n=4096 --set m=100000000 2>&1 | FileCheck --check-prefix=SHORT %s
// CHECK: kernel `columns`: estimated {{.*}} times faster on {{.*}} (GUESSED: m={{[0-9]+}} n={{[0-9]+}}, block 128; give sizes with --set, and --block)
// GIVEN: kernel `columns`: estimated {{.*}} times faster on {{.*}} (m=1024 n=512)
// SHORT: kernel `columns` on {{.*}} (m={{[0-9]+}} n=4096; GUESSED: block 128; give --block)
// SHORT-NEXT: estimated with m={{[0-9]+}}: with the size that it has it takes too long to be run here
#include <cuda_runtime.h>

__global__ void columns(const float* __restrict__ a, float* __restrict__ sum, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int i = 0; i < m; ++i) sum[x] += a[i * n + x];
}

void run(const float* a, float* sum, int n) {
  int threads = 128;
  if (n < 4096) threads = 64;
  columns<<<(n + threads - 1) / threads, threads>>>(a, sum, n, 2 * n);
}
