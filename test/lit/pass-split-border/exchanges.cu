// Lanes that exchange values stay together; what stands behind them has two forms.
// RUN: %hone verify %s --recipe 'split-reduction(L1) split-border' --block 16,2,1 --grid '(w + 15) / 16, (h + 1) / 2' --set h=15 --set k=13 --set w=15 --assume-noalias --reassociate --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe 'split-reduction(L1) split-border' --assume-noalias --reassociate 2>/dev/null | FileCheck %s
// EQUAL: equal
// CHECK: added += __shfl_xor_sync(
// CHECK: // Away from the border: nothing is left to be tested.
// CHECK-NOT: __shfl
// CHECK: } else
// CHECK-NOT: __shfl
__global__ void both(const int* e, const int* p, int* c, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int sum = 2;
    for (int i = y; i < k; ++i) sum += e[i * w + x];
    for (int d = -1; d <= 1; ++d)
      if (x >= 2 && x + d < w - 2 && y + d >= 0 && y + 2 < h) sum += p[(y + d) * w + x + d];
    c[y * w + x] = sum;
  }
}
