// Two bit-fields share a memory location: passes that change accesses leave such kernels alone, the others work.
// RUN: %hone opt %s --recipe vectorize -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'block(x=64) stage' -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe promote -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe forward-stores -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe split-reduction -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone verify %s --recipe 'inline(all=1) block(x=64) unroll(by=2)' --exact | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s -o %t.cu 2>&1

struct Cell {
  unsigned kind : 3, age : 5;
  int drift : 7;
};
__device__ int weight(Cell c) { return c.kind * 2 - c.age; }

// CHECK: bit_fields.cu:{{15|22}}: kernel `sums`: left alone: bit-field 'kind' shares its memory with others
// SAME: kernel `sums`: equal in
__global__ void sums(const Cell* cells, Cell* out, int* x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < m; ++k) x[i] += weight(cells[i * m + k]);
  out[i].drift = x[i];
  ++out[i].age;
}
