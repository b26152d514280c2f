// Three iterations of a transform over pairs as one launch: what the second one would leave in the array between is written over by the next iteration, and
// the host looks at the last result alone. No pragma has to say so.
// RUN: %hone opt %s --recipe 'unroll-host-loop fuse-launches' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// SAID: kernel `pairs`: 3 launches in one
// SAID: kernel `looked_at`: left alone: in is const
// SAID: kernel `adds`: left alone: the threads that hand values to each other
// TEXT: int pairs_launch(
// The iteration behind them, where there is one, must write over all of it.
// TEXT: p * 8 >= n || n % {{.*}}16
// TEXT: pairs_hone::kernel<<<
// TEXT-NEXT: return p * 4;
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>
#include <vector>

__global__ void pairs(const int* in, int* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % p, j = 2 * i - k;
  int a = in[i], b = in[i + n / 2] * (k + 1);
  out[j] = a + b;
  out[j + p] = a - b;
}

// The same, but the host looks at the other array too.
__global__ void looked_at(const int* in, int* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % p, j = 2 * i - k;
  int a = in[i], b = in[i + n / 2] * (k + 1);
  out[j] = a + b;
  out[j + p] = a - b;
}

// Iterations add to what lies in the other array.
__global__ void adds(const int* in, int* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % p, j = 2 * i - k;
  int a = in[i], b = in[i + n / 2] * (k + 1);
  out[j] = out[j] + a + b;
  out[j + p] = out[j + p] + a - b;
}

unsigned sumOf(const std::vector<int>& values) {
  unsigned sum = 0;
  for (int v : values) sum = sum * 31 + v;
  return sum;
}

void run(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7 % 11;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int p = 1; p < n; p *= 2) {
    pairs<<<(n / 2 + 63) / 64, 64>>>(in, out, n, p);
    std::swap(in, out);
  }
  cudaMemcpy(values.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d: %u\n", n, sumOf(values));
  cudaFree(in);
  cudaFree(out);
}

void runOthers(int n) {
  std::vector<int> values(n), others(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7 % 11;
  int *in, *out, *a, *b;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(out, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(a, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(b, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int p = 1; p < n; p *= 2) {
    looked_at<<<(n / 2 + 63) / 64, 64>>>(in, out, n, p);
    std::swap(in, out);
  }
  cudaMemcpy(values.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(others.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d: %u %u\n", n, sumOf(values), sumOf(others));
  for (int p = 1; p < n; p *= 2) {
    adds<<<(n / 2 + 63) / 64, 64>>>(a, b, n, p);
    std::swap(a, b);
  }
  cudaMemcpy(values.data(), a, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d: %u\n", n, sumOf(values));
  cudaFree(in);
  cudaFree(out);
  cudaFree(a);
  cudaFree(b);
}

int main() {
  for (int n : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) run(n);
  for (int n : {2, 16, 128}) runOthers(n);
}
