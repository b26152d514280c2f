// Iterations that only the host counts: counter and bound are handed to the launch function. Pointers are exchanged by three assignments, before the launch.
// RUN: %hone opt %s --recipe 'unroll-host-loop(count=3)' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone verify %s --recipe 'unroll-host-loop' | FileCheck --check-prefix=EQUAL %s
// SAID: kernel `relax`: 3 iterations of the loop around its launch in one call
// EQUAL: kernel `relax`: equal in
// EQUAL: kernel `age`: equal in
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t status, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
  std::exit(1);
}

// TEXT: unsigned {{(int )?}}relax_launch(dim3 grid
// TEXT: unsigned {{(int )?}}step, int steps)
// TEXT: = step + 1 < (unsigned int)steps && step + 2 < (unsigned int)steps;
// TEXT: return step + 2;
// TEXT: return step;
__global__ void relax(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
}

// In place: any number of iterations in one call would do.
__global__ void age(float* x, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * 0.5f + step;
}

void relaxed(int steps) {
  const int n = 100;
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7 % 11;
  float *a, *b, *t;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  // TEXT: step = relax_launch(2, 64, 0, 0, b, a, n, step, steps);
  for (unsigned step = 0; step < steps; step++) {
    t = a;
    a = b;
    b = t;
    relax<<<2, 64>>>(b, a, n);
    check(cudaDeviceSynchronize(), __LINE__);
  }
  // TEXT: s = age_launch(2, 64, 0, 0, a, n, s);
  for (int s = 9; s >= 0; --s) age<<<2, 64>>>(a, n, s);
  cudaMemcpy(values.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * (i + 1);
  std::printf("%d: %.9g\n", steps, sum);
  cudaFree(a);
  cudaFree(b);
}

int main() {
  for (int steps = 0; steps < 12; ++steps) relaxed(steps);
}
