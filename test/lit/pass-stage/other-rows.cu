// An array of rows of 80 that is also read along its diagonal looks like one of rows of 81: what is loaded is named by its distance from the
// first number then, not by rows that the array does not have, and not as a subscript of a row, which would be taken to stay in it.
// RUN: %hone opt %s --recipe stage --no-verify --assume-noalias --block 16,2,2 -o %t.cu 2>&1 | FileCheck %s --check-prefix=DONE
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe stage --exact --assume-noalias --block 16,2,2 --grid '(w + 15) / 16 + 2, (h + 1) / 2 + 1, (d + 1) / 2 + 2' --set d=3 --set h=7 --set w=19 | FileCheck %s --check-prefix=SAME
// RUN: %hone verify %s --recipe stage --exact --assume-noalias --block 16,2,2 --grid '(w + 15) / 16 + 2, (h + 1) / 2 + 1, (d + 1) / 2 + 2' --set d=1 --set h=3 --set w=1 | FileCheck %s --check-prefix=SAME

// DONE: staged through shared memory: {{.*}} elements of b
// CHECK: ? ((const float*)b)[b_row * 81 + b_col]
// SAME: equal in 1 run
// SAME-NOT: the original ran
__global__ void diagonals(const float (*b)[80], float* c, int w, int h, int d) {
  int x = threadIdx.x + blockIdx.x * 16;
  int y = threadIdx.y + blockIdx.y * 2;
  int z = threadIdx.z + blockIdx.z * 2;
  if (x >= w || y >= h || z >= d) return;
  float sum = 0;
  for (int i = 0; i < 18; ++i) sum += b[y][i];
  for (int i = 0; i < x; ++i) sum -= b[i][i];
  c[(z * h + y) * w + x] = sum;
}
