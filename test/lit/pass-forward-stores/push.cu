// What an iteration stores is added to the sums of all later iterations at once.
// RUN: %hone opt %s --recipe 'forward-stores(iterations=8, order=push)' --no-verify -o %t.cu 2> %t.txt
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAYS %s < %t.txt
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'forward-stores(iterations=8, order=push)' | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'block(x=32) forward-stores(iterations=8, order=push) stage' --kernel solve | FileCheck --check-prefix=EQUAL %s
// EQUAL-NOT: NOT EQUAL
// EQUAL: equal in

// CHECK: float sum_of[kIterations];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int iteration = 0; iteration < kIterations; ++iteration) {
// CHECK-NEXT: int i = first + iteration;
// CHECK-NEXT: sum_of[iteration] = b[i * sides + j];
// CHECK-NEXT: }
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int iteration = 0; iteration < kIterations; ++iteration) {
// CHECK-NEXT: int i = first + iteration;
// CHECK-NEXT: float sum = sum_of[iteration];
// CHECK-NEXT: const float x_kept = sum / l[i * n + i];
// CHECK-NEXT: x[i * sides + j] = x_kept;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int later = iteration + 1; later < kIterations; ++later) {
// CHECK-NEXT: int i_later = first + later;
// CHECK-NEXT: int k = first + iteration;
// CHECK-NEXT: sum_of[later] -= l[i_later * n + k] * x_kept;
// CHECK: last == (long long)first + 8
// SAYS: kernel `solve`: what L1 stores to x is added to sum of later iterations at once; before the launch it is tested that it has 8 iterations
#pragma hone set(n=20, sides=70, first=8, last=16) block(64)
__global__ void solve(const float* l, const float* b, float* x, int n, int sides, int first, int last) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < sides) {
    for (int i = first; i < last; ++i) {
      float sum = b[i * sides + j];
      for (int k = first; k < i; ++k) sum -= l[i * n + k] * x[k * sides + j];
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}

// The tile lies so that a thread reads neighbours: a column of l.
// RUN: %hone opt %s --recipe 'block(x=8) forward-stores(iterations=8, order=push) stage' --kernel solve --no-verify | FileCheck --check-prefix=TILE %s
// TILE: __shared__ float l_tile[8][12];
// TILE: l_tile[tx][row] = tx <= row ? l[(first + row) * n + first + tx] : 0.0f;
// TILE: const float x_kept = sum / l_tile[iteration][iteration];
// TILE: sum_of[later] -= l_tile[iteration][later] * x_kept;

// A sum that begins with the element itself, in a variable from outside, with a value of the iteration and a condition in it; other loads are made ahead.
// CHECK: void in_place(
// CHECK: double t_of[kIterations];
// CHECK: float a_ahead[kIterations];
// CHECK: t_of[iteration] = y[i * 64 + j] + 1;
// CHECK-NEXT: a_ahead[iteration] = a[i * 64 + j];
// CHECK: t = t_of[iteration];
// CHECK-NEXT: t *= a_ahead[iteration];
// CHECK-NEXT: const int y_kept = (int)t;
// CHECK-NEXT: y[i * 64 + j] = y_kept;
// CHECK: for (int later = iteration + 1; later < kIterations; ++later) {
// CHECK: int before = y_kept;
// CHECK-NEXT: if (before > 3) {
// CHECK-NEXT: t_of[later] = t_of[later] * 0.5 + (before + i_later * 3 + k);
// SAYS: kernel `in_place`: what L1 stores to y is added to t of later iterations at once; loaded before the first: a{{$}}
#pragma hone grid(2) block(32)
__global__ void in_place(const float* __restrict__ a, int* __restrict__ y) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  double t;
  for (int i = 0; i < 8; ++i) {
    int of_iteration = i * 3;
    t = y[i * 64 + j] + 1;
    for (int k = 0; k < i; ++k) {
      int before = y[k * 64 + j];
      if (before > 3) t = t * 0.5 + (before + of_iteration + k);
    }
    t *= a[i * 64 + j];
    y[i * 64 + j] = (int)t;
  }
}
