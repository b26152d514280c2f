// Iterations side by side for each thread, which vectorize makes one access; a block puts the parts of all blocks together.
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, ways=40, each=4)' --reassociate 2>/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, ways=40, each=4) vectorize' --kernel whole --reassociate 2>/dev/null | FileCheck --check-prefix=WIDE %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=40, each=4)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=grid, ways=40, each=4) vectorize' --kernel whole --reassociate | FileCheck --check-prefix=ONE %s
// ONE: kernel `whole`: equal in
// RUN: %hone verify %s --recipe 'split-reduction(over=block, ways=32, each=3)' --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --recipe 'split-reduction(over=warp, each=2)' --reassociate | FileCheck --check-prefix=SAME %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-5: kernel `{{[a-z_]+}}`: equal in
// RUN: %hone opt %s --recipe 'split-reduction(each=17)' --kernel whole --reassociate 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// MANY: kernel `whole`: left alone: 17 iterations side by side are too many

// CHECK: constexpr int kEach = 4;
// CHECK: int i_next = lane * kEach;
// CHECK-NEXT: for (; i_next + 3 < n; i_next += kThreads * kParts * kEach) {
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int e = 0; e < kEach; ++e) {
// CHECK-NEXT: const int i = i_next + e;
// CHECK-NEXT: added += a[i];
// CHECK: for (int i = i_next; i < n; ++i) {
// CHECK-NEXT: added += a[i];
// CHECK: kernel_2
// CHECK: for (int part = lane; part < kParts; part += kThreads{{.*}}) {
// CHECK-NEXT: added += sum_partial[
// CHECK: added += __shfl_xor_sync({{.*}}, added, offset);
// CHECK: if (lane % 32 == 0) {
// CHECK-NEXT: added_parts[lane / 32] = added;
// CHECK: __syncthreads();
// CHECK-NEXT: if (lane == 0) {
// CHECK: added += added_parts[warp];
// CHECK: sum += added;
// CHECK-NEXT: total[0] = sum;
// WIDE: const float4 a_four = *(const float4*)(a + i_next);
__global__ void whole(const float* a, float* total, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    float sum = 3;
    for (int i = 0; i < n; ++i) sum += a[i];
    total[0] = sum;
  }
}

// Steps of three, from two on; two sums, one of them a maximum.
__global__ void steps(const int* a, int* total, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    int sum = 5, most = -100;
    for (int i = 2; i < n; i += 3) {
      sum += a[i];
      most = max(most, a[i - 1]);
    }
    total[0] = sum;
    total[1] = most;
  }
}

// A variable without a sign, in steps of three.
__global__ void without_sign(const int* a, int* total, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < n; i += 3) sum += a[i];
    total[0] = sum;
  }
}

// Bounds from memory: iterations are counted in 64 bits.
#pragma hone grid(2) block(8)
__global__ void rows(const int* first, const int* a, int* y) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = first[x]; j < first[x + 1]; ++j) sum += a[j];
  y[x] = sum;
}

// Downwards.
__global__ void down(const int* a, int* total, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x == 0) {
    int sum = 0;
    for (int i = n - 1; i >= 0; --i) sum += a[i] * i;
    total[0] = sum;
  }
}
