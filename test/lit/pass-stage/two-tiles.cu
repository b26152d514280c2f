// Two tiles of one array, one of a single row: what is known of the rows of the first does not hold for the second.
// RUN: %hone opt %s --recipe 'stage(depth=32)' --no-verify --assume-noalias --block 32 -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'stage(depth=32)' --exact --assume-noalias --block 32 --grid '(w + 31) / 32' --set k=13 --set w=150 | FileCheck %s --check-prefix=SAME
// CHECK: e_tile2[row][tx] =
// CHECK-NEXT: ((int)blockIdx.x * kBlockX + row + 2) / 3 * 3 == (int)blockIdx.x * kBlockX + row + 2
// SAME: equal in 1 run
__global__ void thirds(const unsigned* e, int* c1, long long* c2, int w, int k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x < w) {
    if (x % 3 != 1) {
      for (int i = 0; i < k; i++) c1[x * k + i] = 2 * e[2 * i];
    } else {
      for (int i = 0; i < 11; ++i) c2[x] += e[x * k + i];
    }
  }
}
