// One launch per step, arrays exchanged: three steps in one call, and the loop goes on behind them.
// RUN: %hone opt %s --recipe 'unroll-host-loop' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// RUN: %hone verify %s --recipe 'unroll-host-loop(count=5)' --set n=100 --set p=1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe 'unroll-host-loop(count=4)' 2>&1 >/dev/null | FileCheck --check-prefix=EVEN %s
// RUN: %hone opt %s --recipe 'unroll-host-loop(count=17)' 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// RUN: %hone opt %s --recipe 'unroll-host-loop unroll-host-loop' 2>&1 >/dev/null | FileCheck --check-prefix=TWICE %s
// RUN: %hone opt %s --recipe 'unroll-host-loop' --self-check 2>&1 >/dev/null | FileCheck --check-prefix=SELF %s
// RUN: rm -rf %t.bundle && %hone tune %s --set n=4096 --set p=64 --length in=n --length out=n --recipe unroll-host-loop --budget 6 --no-store --bundle %t.bundle 2>&1 | FileCheck --check-prefix=TUNED %s
// RUN: FileCheck --check-prefix=BUNDLE %s < %t.bundle/variants.jsonl
// TUNED: recipe 'unroll-host-loop' does not apply: what is tuned is measured and compared a launch at a time: hone opt takes several iterations
// BUNDLE-NOT: unroll-host-loop
// SAID: kernel `scan_step`: 3 iterations of the loop around its launch in one call
// EVEN: left alone: arrays are exchanged from iteration to iteration: after 4 of them the result would lie in the other one
// MANY: left alone: more than 16 iterations in one call
// TWICE: left alone: unroll-host-loop must come before passes that make choices or further launches
// SELF: left alone: a self-check compares single launches, and this plan does several at once
// EQUAL: kernel `scan_step`: equal in
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                   \
  do {                                                                \
    cudaError_t status = (call);                                      \
    if (status != cudaSuccess) {                                      \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(status));       \
      std::exit(1);                                                   \
    }                                                                 \
  } while (0)

// TEXT: static inline int scan_step_launch(dim3 grid
// TEXT: = p * 2 < n && p * 4 < n;
// TEXT: scan_step<<<grid, block, shared, stream>>>(in, out, n, p);
// TEXT: scan_step<<<grid, block, shared, stream>>>(out, (int*)in, n, p * 2);
// TEXT: scan_step<<<grid, block, shared, stream>>>(in, out, n, p * 4);
// TEXT: return p * 4;
// TEXT: scan_step<<<grid, block, shared, stream>>>(in, out, n, p);
// TEXT: return p;
__global__ void scan_step(const int* in, int* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = i >= p ? in[i] + in[i - p] : in[i];
}

void scan(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i * 7 % 11;
  int *in, *out;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  // TEXT: for (int p = 1; p < n; p *= 2) {
  // TEXT-NEXT: // hone: was {{[0-9a-f]+}}: scan_step<<<
  // TEXT-NEXT: p = scan_step_launch((n + 63) / 64, 64, 0, 0, in, out, n, p);
  // TEXT-NEXT: CHECK(cudaGetLastError());
  // TEXT-NEXT: std::swap(in, out);
  for (int p = 1; p < n; p *= 2) {
    scan_step<<<(n + 63) / 64, 64>>>(in, out, n, p);
    CHECK(cudaGetLastError());
    std::swap(in, out);
  }
  CHECK(cudaMemcpy(values.data(), in, n * sizeof(int), cudaMemcpyDeviceToHost));
  unsigned sum = 0;
  for (int v : values) sum = sum * 31 + v;
  std::printf("%d: %u\n", n, sum);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  for (int n : {1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 32, 33, 64, 65, 128, 129, 256, 257, 1000}) scan(n);
}
