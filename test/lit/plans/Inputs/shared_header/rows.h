#pragma once
#ifndef TILE
#define TILE 16
#endif
#ifdef WIDE
typedef double real;
#else
typedef float real;
#endif
constexpr int kRow = 2 * TILE;

static __global__ void rows(const real* __restrict__ a, real* __restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < kRow; ++k) sums[i] += a[i * kRow + k];
}

static __global__ void tiles(const float* __restrict__ a, float* __restrict__ sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < TILE; ++k) sums[i] += a[i * TILE + k];
}
