// Steps over pairs, the first of which is simpler than the rest: it gets a kernel of its own.
// RUN: %hone opt %s --recipe 'specialize' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone opt %s --recipe 'unroll-host-loop specialize(p=1) block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=BOTH %s < %t.cu
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone opt %s --recipe 'unroll-host-loop fuse-launches specialize' --reassociate -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=JOINED %s < %t.cu
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone verify %s --recipe 'specialize(p=4, n=64)' --set n=64 --set p=2 | FileCheck --check-prefix=EQUAL %s
// SAID: kernel `walsh`: launches in which p is 1 run a kernel of their own
// EQUAL: kernel `walsh`: equal in
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// The number stands in the parameter's place, and what becomes one with it is worked out.
// TEXT: // For launches in which p is 1.
// TEXT: __global__ void kernel(const float* in, float* out, int n) {
// TEXT: float scale = 0.5f * 1;
// TEXT-NEXT: int j = i * 2;
// TEXT-NEXT: float u =
// TEXT: out[j] = (u + v) * scale;
// TEXT: out[j + 1] = (u - v) * scale;
// TEXT: walsh_launch(
// TEXT: const bool in_range = p == 1;
// TEXT: kernel<<<{{.*}}>>>(in, out, n);
// TEXT-NEXT: return;
// TEXT: #endif
// TEXT-NEXT: walsh<<<

// In every launch of several iterations, where it gets a number, and later passes work on both ways.
// BOTH: void walsh_p1(
// BOTH: void walsh_p2(
// BOTH: void walsh_p4(
// BOTH: if (p == 1) {
// BOTH: threads(kBlockX);
// BOTH: walsh_p1<<<
// BOTH: walsh_p2<<<
// BOTH: walsh_p4<<<
// BOTH: } else {
// BOTH: threads_4(kBlockX);
// BOTH: kernel_4<<<{{.*}}(in, out, n, p);
// BOTH: }
// BOTH-NEXT: return p * 4;

// JOINED: __global__ void walsh_joined_p1(const float* in, float* out, int n, int groups) {
// JOINED-NOT: low
// JOINED: out[{{.*}} + 4] =
// JOINED: if (p == 1) {
// JOINED: walsh_joined_p1<<<
// JOINED: } else {
// JOINED: walsh_joined<<<
// JOINED: return p * 4;
__global__ void walsh(const float* in, float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  float scale = 0.5f * p;
  int k = i % p, j = 2 * i - k;
  if (p > 2) scale /= 2;
  float u = in[i], v = in[i + n / 2];
  out[j] = (u + v) * scale;
  out[j + p] = (u - v) * scale;
}

void transform(int n) {
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7 % 11;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int p = 1; p < n; p *= 2) {
    walsh<<<(n / 2 + 63) / 64, 64>>>(a, b, n, p);
    std::swap(a, b);
  }
  cudaMemcpy(values.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] * (i + 1);
  std::printf("%d: %.9g\n", n, sum);
  cudaFree(a);
  cudaFree(b);
}

int main() {
  for (int n = 1; n <= 1024; n *= 2) transform(n);
}
