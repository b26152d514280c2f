// Rows whose pointers lie in memory, some of them over the rows that they are copied to.
// RUN: %hone opt %s --recipe split-reduction --no-verify -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %hone run %s > %t.before
// RUN: %hone run %t.cu > %t.after
// RUN: diff %t.before %t.after
// REMARK: kernel `pointers`: note: where rows overlap the kernel walks them in order; it asks row by row
// CHECK: {{^}}// hone: begin, beside pointers
// CHECK: const int* row = from[r];
// CHECK: (unsigned long long)(row + n) <= (unsigned long long)(y + r * n)) {
#include <cstdio>

__global__ void pointers(const int* const* from, int* y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const int* row = from[r];
  for (int j = 0; j < n; ++j) y[r * n + j] = row[j];
}

int main() {
  constexpr int n = 70, extra = 8, all = n + 2 * extra;
  int *memory, start[all], out[all];
  const int** from;
  for (int i = 0; i < all; ++i) start[i] = i * 37 % 101;
  cudaMalloc(&memory, sizeof start);
  cudaMalloc(&from, sizeof *from);
  for (int shift = -extra; shift <= extra; ++shift) {
    cudaMemcpy(memory, start, sizeof start, cudaMemcpyHostToDevice);
    int* y = memory + extra;
    const int* row = y + shift;
    cudaMemcpy(from, &row, sizeof row, cudaMemcpyHostToDevice);
    pointers<<<1, 32>>>(from, y, 1, n);
    cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < all; ++i) sum = sum * 31 + out[i];
    printf("%d: %u\n", shift, sum);
  }
}
