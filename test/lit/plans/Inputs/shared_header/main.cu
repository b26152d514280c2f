#include <stdio.h>

#include "rows.h"

int main() {
  const int n = 100;
  real *a, *sums;
  float *b, *others;
  cudaMallocManaged(&a, n * kRow * sizeof(real));
  cudaMallocManaged(&sums, n * sizeof(real));
  cudaMallocManaged(&b, n * TILE * sizeof(float));
  cudaMallocManaged(&others, n * sizeof(float));
  for (int i = 0; i < n * kRow; ++i) a[i] = 1;
  for (int i = 0; i < n * TILE; ++i) b[i] = 1;
  for (int i = 0; i < n; ++i) sums[i] = others[i] = 0;
  rows<<<1, 128>>>(a, sums, n);
  tiles<<<1, 128>>>(b, others, n);
  cudaDeviceSynchronize();
  printf("%g %g\n", (double)sums[n - 1], (double)others[0]);
}
