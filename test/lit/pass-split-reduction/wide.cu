// Neighbouring sums that a thread does together: the loads of neighbours become one access.
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=128, rows=32, wide=4) vectorize' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=4, rows=6, wide=2)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=3, rows=32, wide=4) vectorize' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=16, rows=16, wide=8, each=2) vectorize' --reassociate | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-NOT: the original ran
// SAME-COUNT-4: kernel `{{[a-z_]+}}`: equal in
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128, rows=32, wide=4) vectorize' --kernel columns --reassociate 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// REMARK: kernel `columns`: the iterations of L1 (sum) are shared by 128 threads of a block
// REMARK: kernel `columns`: merged 4 threads of a block into one; what they share of v is loaded once
// REMARK: kernel `columns`: 4 elements of a loaded in one access, 4 elements of sum_parts stored in one access, 4 elements of sum_parts loaded in one access

// CHECK: __launch_bounds__(1024) void kernel(
// CHECK: float sum_parts[kThreads][kRows];
// CHECK: const int lane = threadIdx.y;
// CHECK: for (int i = lane; i < h; i += kThreads) {
// CHECK-NEXT: // v is the same
// CHECK-NEXT: float v_reg = v[i];
// CHECK: const float4 a_four = *(const float4*)(a + (i * w + (int)(blockIdx.x * kRows + threadIdx.x * kPerX)));
// CHECK: sum[rx] += a_part[rx] * v_reg;
// CHECK: // At the edge, and where arrays are not aligned, one element at a time.
// All threads have a part, so that no guard stands in the way of wide accesses.
// CHECK: *(float4*)&sum_parts[lane][threadIdx.x * kPerX] =
// CHECK: for (int half = kThreads / 2; half > 0; half /= 2) {
// CHECK-NEXT: if (lane < half) {
// CHECK: *(const float4*)&sum_parts[lane + half][threadIdx.x * kPerX];
// CHECK: *(float4*)&sum_parts[lane][threadIdx.x * kPerX] =
// CHECK: threads(8, 128);
#pragma hone grid((w + 63) / 64) block(64) length(a=w*h, v=h, y=w)
__global__ void columns(const float* a, const float* v, float* y, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    float sum = 0;
    for (int i = 0; i < h; ++i) sum += a[i * w + x] * v[i];
    y[x] = sum;
  }
}

// Two sums that begin with what was there.
#pragma hone grid((w + 63) / 64) block(64) length(a=w*h, low=w, high=w)
__global__ void extremes(const int* a, int* low, int* high, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  int least = low[x], most = high[x];
  for (int i = 0; i < h; ++i) {
    least = min(least, a[i * w + x]);
    most = max(most, a[i * w + x]);
  }
  low[x] = least;
  high[x] = most;
}

// Rows of a further axis, of odd width: no row but the first is aligned.
#pragma hone set(w=45, h=3) grid((w + 31) / 32, h) block(32)
__global__ void planes(const int* a, int* out, int w, int h, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int sum = out[y * w + x];
    for (int i = 0; i < n; ++i) sum += a[(i * h + y) * w + x];
    out[y * w + x] = sum;
  }
}

// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128, rows=32, wide=4)' --kernel planes 2>/dev/null | FileCheck --check-prefix=START %s
// What was there before is added once, behind the iterations.
// START: int added[kPerX] = {};
// START: sum[rx] = out[y * w + x];
// START: added[rx] += a[(i * h + y) * w + x];
// START: added_parts[lane][threadIdx.x * kPerX + rx] = added[rx];
// START: sum[rx] += added[rx];
// START-NEXT: out[y * w + x] = sum[rx];

// No guard, and a start and a scale of its own.
#pragma hone grid(3) block(32) length(a=96*h, v=h, y=96)
__global__ void unguarded(const double* a, const double* v, double* y, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = y[x];
  for (int i = 0; i < h; ++i) sum += a[i * 96 + x] * v[i];
  y[x] = 2 * sum;
}

// RUN: %hone opt %s --recipe 'split-reduction(over=block, rows=6, wide=4)' --kernel columns --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=UNEVEN %s
// RUN: %hone opt %s --recipe 'split-reduction(wide=2)' --kernel columns --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=WARP %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, rows=64, wide=16)' --kernel columns --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=128, rows=64, wide=4)' --kernel columns --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=FULL %s
// UNEVEN: left alone: 6 sums of a block are no multiple of the 4 of a thread
// WARP: left alone: wide is for over=block and over=grid
// MANY: left alone: 16 sums of a thread are too many
// FULL: left alone: 64 sums of 128 threads each, 4 of them in one, do not fit in a block
