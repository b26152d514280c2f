// Sums that the threads of a block make together become those of one thread each, which may be shared anew.
// RUN: %hone opt %s --reassociate --block 256 --recipe untree --no-verify -o %t.cu 2> %t.log
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=LOG %s < %t.log
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --reassociate --block 256 --grid 5 --shared 1024 --recipe untree --set n=700 --set rows=5 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 64 --grid 300 --shared 1024 --recipe untree --set n=70 --set rows=300 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 96 --grid 5 --shared 1024 --recipe untree --set n=70 --set rows=5 --kernel integers | FileCheck --check-prefix=ANY %s
// RUN: %hone verify %s --reassociate --block 256 --grid 40 --shared 1024 --recipe 'untree split-reduction(over=block, ways=32, rows=32)' --set n=700 --set rows=40 --kernel columns | FileCheck --check-prefix=SPLIT %s
// RUN: %hone verify %s --reassociate --block 512 --grid 40 --shared 2048 --recipe 'untree split-reduction(over=block, ways=32, rows=32)' --set n=700 --set rows=40 --kernel columns | FileCheck --check-prefix=SPLIT %s
// RUN: %hone verify %s --reassociate --block 256 --grid 40 --shared 1024 --recipe 'untree split-reduction' --set n=700 --kernel softmax | FileCheck --check-prefix=SOFTMAX %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-9: kernel `{{[A-Za-z]+}}`: equal in
// ANY: kernel `integers`: equal in
// SPLIT: kernel `columns`: equal in
// SOFTMAX: kernel `softmax`: equal in

// 1. A column for each block: the tree, its shared memory and the guard of the first thread go.
// LOG: kernel `columns`: one thread makes the sum that 256 threads put together
// CHECK-LABEL: namespace columns_hone
// CHECK: if (blockIdx.x * kBlockX + threadIdx.x < threads_x) {
// CHECK-NOT: __shared__
// CHECK: const float* x = a + (blockIdx.x * kBlockX + threadIdx.x);
// CHECK-NEXT: double sum = 0.0;
// CHECK-NEXT: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: sum += x[i * rows];
// CHECK-NOT: __syncthreads
// CHECK: o[blockIdx.x * kBlockX + threadIdx.x] += block_total;
// CHECK: columns_hone::kernel<<<blocks, threads, 0, stream>>>
__global__ void columns(const float* a, float* o, int n, int rows) {
  extern __shared__ float sh[];
  // The thread's place.
  int tid = threadIdx.x, size = blockDim.x;
  const float* x = a + blockIdx.x;
  double sum = 0.0;
  for (int i = tid; i < n; i += size) sum += x[i * rows];
  sh[tid] = (float)sum;
  __syncthreads();
  for (int h = size / 2; h >= 1; h /= 2) {
    __syncthreads();
    if (tid < h) sh[tid] += sh[tid + h];
  }
  if (tid == 0) o[blockIdx.x] += sh[0];
}

// 2. Integers need no leave; two sums and an extremum in one kernel, rows in a loop over the grid, guards.
// CHECK-LABEL: namespace integers_hone
// CHECK: for (int row = blockIdx.x * kBlockX + threadIdx.x; row < rows; row += {{.*}}threads_x
// CHECK-NOT: __syncthreads
// CHECK: o[row * 2 + 1] = most;
__global__ void integers(const int* a, int* o, int n, int rows) {
  __shared__ int sums[1024], tops[1024];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    int sum = 0, most = -2147483647 - 1;
    if (n > 1) {
      for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int v = a[row * n + i];
        sum += v;
        most = max(most, v);
      }
    }
    sums[threadIdx.x] = sum;
    tops[threadIdx.x] = most;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
      if (threadIdx.x % (2 * s) == 0 && threadIdx.x + s < blockDim.x) {
        sums[threadIdx.x] += sums[threadIdx.x + s];
        tops[threadIdx.x] = max(tops[threadIdx.x], tops[threadIdx.x + s]);
      }
      __syncthreads();
    }
    sum = sums[0];
    most = tops[0];
    __syncthreads();
    if (threadIdx.x == 0) {
      o[row * 2] = sum;
      o[row * 2 + 1] = most;
    }
  }
}

// 3. What all threads do with the totals: loops that they share become loops of the one.
// CHECK-LABEL: namespace softmax_hone
// CHECK-NOT: __syncthreads
// CHECK: most = fmaxf(most, x[i]);
// CHECK: sum += expf(x[i] - {{most|all}});
// CHECK: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: y[(blockIdx.x * kBlockX + threadIdx.x) * n + i] =
__global__ void softmax(const float* a, float* y, int n) {
  __shared__ float sh[256];
  const float* x = a + blockIdx.x * n;
  int tid = threadIdx.x;
  float most = -3.4e38f;
  for (int i = tid; i < n; i += blockDim.x) most = fmaxf(most, x[i]);
  sh[tid] = most;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 1; s /= 2) {
    __syncthreads();
    if (tid < s) sh[tid] = fmaxf(sh[tid], sh[tid + s]);
  }
  __syncthreads();
  float all = sh[0];
  __syncthreads();
  float sum = 0;
  for (int i = tid; i < n; i += blockDim.x) sum += expf(x[i] - all);
  sh[tid] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 1; s /= 2) {
    __syncthreads();
    if (tid < s) sh[tid] += sh[tid + s];
  }
  __syncthreads();
  float total = sh[0];
  for (int i = tid; i < n; i += blockDim.x) y[blockIdx.x * n + i] = expf(x[i] - all) / total;
}

// 4. A value that the first thread works out for all, in shared memory: the one thread keeps it.
// CHECK-LABEL: namespace centred_hone
// CHECK-NOT: __shared__
// CHECK: mean = sum / n;
// CHECK: - mean;
__global__ void centred(const float* a, float* y, int n) {
  __shared__ float sh[256];
  __shared__ float mean;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[blockIdx.x * n + i];
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 1; s /= 2) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) mean = sh[0] / n;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = a[blockIdx.x * n + i] - mean;
}

// 5. Two steps by shuffles, all lanes of a warp storing what they have alike; an atomic of the first thread.
// CHECK-LABEL: namespace byWarps_hone
// CHECK-NOT: __shfl
// CHECK: atomicAdd(o, {{.*}});
__global__ void byWarps(const float* a, float* o, int n, int rows) {
  __shared__ float parts[32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (blockIdx.x >= rows) return;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[blockIdx.x * n + i];
  for (int h = 16; h > 0; h /= 2) sum += __shfl_xor_sync(0xffffffff, sum, h);
  parts[warp] = sum;
  __syncthreads();
  sum = lane < warps ? parts[lane] : 0.0f;
  for (int h = 16; h > 0; h /= 2) sum += __shfl_xor_sync(0xffffffff, sum, h);
  if (threadIdx.x == 0) atomicAdd(o, sum);
}

// 6. A row for each warp.
// LOG: kernel `warpRows`: one thread makes the sum that 32 threads put together
// CHECK-LABEL: namespace warpRows_hone
// CHECK: int row = blockIdx.x * kBlockX + threadIdx.x;
// CHECK-NEXT: if (row < rows) {
// CHECK-NOT: __shfl
// CHECK: o[row] = sum;
__global__ void warpRows(const float* a, float* o, int n, int rows) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < n; i += 32) sum += a[row * n + i];
  for (int h = 16; h > 0; h /= 2) sum += __shfl_down_sync(0xffffffff, sum, h);
  if (lane == 0) o[row] = sum;
}

// 7. A row for each warp that is known by its block and its place in it.
// CHECK-LABEL: namespace placed_hone
// CHECK: int sum = 0;
// CHECK: sum += a[(int)((blockIdx.x * kBlockX + threadIdx.x) % 8u) * n + i];
__global__ void placed(const int* a, int* o, int n) {
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int sum = 0;
  for (int i = lane; i < n; i += 32) sum += a[warp * n + i];
  for (int h = 16; h > 0; h /= 2) sum += __shfl_xor_sync(0xffffffff, sum, h);
  if (lane == 0) o[warp * gridDim.x + blockIdx.x] = sum;
}

// 8. Columns behind each other in two axes of the grid, a loop that begins behind the first elements.
// CHECK-LABEL: namespace planes_hone
// CHECK: for (int i = first; i <= n - 1; ++i) {
__global__ void planes(const float* a, float* o, int n) {
  __shared__ float sh[256];
  const int plane = blockIdx.y * gridDim.x + blockIdx.x;
  int first = n / 3;
  float sum = 0;
  for (int i = first + threadIdx.x; i <= n - 1; i += blockDim.x) sum += a[plane * n + i];
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 1; s /= 2) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (!threadIdx.x) o[plane] = sh[0];
}

// 9. Every second of the parts of a row that a thread takes two elements of.
// CHECK-LABEL: namespace pairs_hone
// CHECK: for (int i = 0; i < n; i += 2) {
__global__ void pairs(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float sum = 0;
  for (int i = 2 * threadIdx.x; i < n; i += 2 * blockDim.x) sum += a[blockIdx.x * n + i] * (i % 3);
  sh[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 1; s /= 2) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}
