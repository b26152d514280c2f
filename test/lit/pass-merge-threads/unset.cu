// Arithmetic without its guard reads what only a guarded statement sets: that is 0 where the guard does not hold.
// RUN: %hone opt %s --recipe 'promote stage(depth=8) merge-threads(x=2, how=strided)' --no-verify --block 32,4 -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %hone verify %s --recipe 'promote stage(depth=8) merge-threads(x=2, how=strided)' --exact --assume-noalias --block 32,4 --grid '(w + 31) / 32, (h + 3) / 4' --set h=24 --set k=21 --set w=28 | FileCheck %s --check-prefix=SAME

// CHECK: float e_value[kPerX] = {};
// CHECK: sum[rx] += e_value[rx] + 3 * f_reg;
// SAME: equal in 1 run
// SAME-NOT: error
struct Point {
  float u;
  int k;
};
__global__ void shifted(const Point* __restrict__ e, const double* __restrict__ f, double* __restrict__ c, int w, int h, int k) {
  size_t x = threadIdx.x + blockIdx.x * 32;
  size_t y = threadIdx.y + blockIdx.y * 4;
  if (x < w && y < h) {
    double sum = 0;
    for (int i = 0; i < k; ++i) sum += e[x].u + 3 * f[2 * i];
    c[y * w + x] = sum;
  }
}
