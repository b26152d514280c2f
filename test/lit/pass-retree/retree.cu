// Values of a block put together by hand, in many spellings: each becomes shuffles and one barrier.
// RUN: %hone opt %s --reassociate --block 256 --recipe retree --no-verify -o %t.cu 2> %t.log
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=LOG %s < %t.log
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --reassociate --block 256 --grid 3 --recipe retree --set n=1000 --set rows=3 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 128 --grid 3 --recipe retree --set n=70 --set rows=3 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 32 --grid 3 --recipe retree --set n=70 --kernel halving | FileCheck --check-prefix=ONE %s
// SAME-NOT: NOT EQUAL
// SAME-COUNT-14: kernel `{{[A-Za-z]+}}`: equal in
// ONE: kernel `halving`: equal in

// 1. Halving steps.
// LOG: kernel `halving`: the sum of 256 threads is put together with one barrier instead of 9
// CHECK-LABEL: namespace halving_hone
// CHECK: for (int i = threadIdx.x; i < n; i +=
// CHECK: s += __shfl_xor_sync
// CHECK: if (threadIdx.x % 32 == 0) {
// CHECK-NEXT: s_parts[threadIdx.x / 32] = s;
// CHECK: __syncthreads();
// CHECK-NOT: __syncthreads();
// CHECK: s = s_parts[0];
// CHECK: if (threadIdx.x == 0) {
// CHECK-NEXT: o[blockIdx.x] = s;
__global__ void halving(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[blockIdx.x * n + i];
  sh[threadIdx.x] = s;
  __syncthreads();
  for (unsigned h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// 2. Interleaved steps, by the remainder of the thread's number; integers need no permission.
// CHECK-LABEL: namespace interleaved_hone
// CHECK: __shfl_xor_sync
// CHECK: atomicAdd(o, block_total)
__global__ void interleaved(const int* a, int* o, int n) {
  extern __shared__ int dynamic[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  dynamic[tid] = i < n ? a[i] : 0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) dynamic[tid] += dynamic[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(o, dynamic[0]);
}

// 3. Interleaved steps by neighbouring threads.
// CHECK-LABEL: namespace strided_hone
// CHECK: __shfl_xor_sync
__global__ void strided(const int* a, int* o, int n) {
  __shared__ int sh[256];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  sh[tid] = i < n ? a[i] : 0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int at = 2 * s * tid;
    if (at < blockDim.x) sh[at] += sh[at + s];
    __syncthreads();
  }
  if (tid == 0) o[blockIdx.x] = sh[0];
}

// 4. Unrolled, by sizes that are left out when they are too large, the last warp without barriers: its lanes
// go in step.
// CHECK-LABEL: namespace unrolled_hone
// CHECK: __shfl_xor_sync
__device__ void lastWarp(volatile int* sh, int tid) {
  sh[tid] += sh[tid + 32];
  sh[tid] += sh[tid + 16];
  sh[tid] += sh[tid + 8];
  sh[tid] += sh[tid + 4];
  sh[tid] += sh[tid + 2];
  sh[tid] += sh[tid + 1];
}
__global__ void unrolled(const int* a, int* o, int n) {
  __shared__ int sh[320];
  int tid = threadIdx.x, mine = 0;
  for (int i = tid; i < n; i += blockDim.x) mine += a[i];
  sh[tid] = mine;
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) sh[tid] += sh[tid + 256];
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) sh[tid] += sh[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) sh[tid] += sh[tid + 64];
  __syncthreads();
  if (tid < 32) lastWarp(sh, tid);
  if (tid == 0) o[blockIdx.x] = sh[0];
}

// 5. Shuffles in a function, parts of warps in shared memory, of which the first warp makes the sum; all have it.
// LOG: kernel `byWarps`: the sum of 256 threads is put together with one barrier instead of 2
// CHECK-LABEL: namespace byWarps_hone
// CHECK: __syncthreads();
// CHECK-NOT: __syncthreads();
// CHECK: y[blockIdx.x * n + i] = a[blockIdx.x * n + i] / sum;
__device__ float warpSum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffff, v, offset);
  return v;
}
__global__ void byWarps(const float* a, float* y, int n) {
  __shared__ float parts[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[blockIdx.x * n + i];
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  sum = warpSum(sum);
  if (lane == 0) parts[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / warpSize ? parts[lane] : 0.0f;
    sum = warpSum(sum);
    if (lane == 0) parts[0] = sum;
  }
  __syncthreads();
  sum = parts[0];
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = a[blockIdx.x * n + i] / sum;
}

// 6. A maximum, then a sum in the same array, each of which all threads need.
// LOG: kernel `softmax`: the maximum of 256 threads is put together with one barrier instead of {{[0-9]+}}
// LOG: kernel `softmax`: the sum of 256 threads is put together with one barrier instead of {{[0-9]+}}
// CHECK-LABEL: namespace softmax_hone
// CHECK: fmaxf(
// CHECK: __syncthreads();
// CHECK: expf(
// CHECK: __shfl_xor_sync
// CHECK: __syncthreads();
// CHECK-NOT: __syncthreads();
// CHECK: _hone
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

// 7. One thread adds up what the others have left.
// CHECK-LABEL: namespace byOne_hone
// CHECK: __shfl_xor_sync
__global__ void byOne(const unsigned* a, unsigned* o, int n) {
  __shared__ unsigned sh[256];
  unsigned mine = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  sh[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned all = 0;
    for (int i = 0; i < blockDim.x; ++i) all ^= sh[i];
    o[blockIdx.x] = all;
  }
}

// 8. Two sums at once, in halves of one dynamic array, by pointers.
// CHECK-LABEL: namespace twoAtOnce_hone
// CHECK: s1 += __shfl_xor_sync
// CHECK: s2 += __shfl_xor_sync
// CHECK-NOT: extern __shared__
// CHECK: _hone
__global__ void twoAtOnce(const float* a, float* o, int n) {
  extern __shared__ float halves[];
  float* first = halves;
  float* second = halves + blockDim.x;
  int t = threadIdx.x;
  float s1 = 0, s2 = 0;
  for (int i = t; i < n; i += blockDim.x) {
    float v = a[blockIdx.x * n + i];
    s1 += v;
    s2 += v * v;
  }
  first[t] = s1;
  second[t] = s2;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (t < i) {
      first[t] += first[t + i];
      second[t] += second[t + i];
    }
    __syncthreads();
    i /= 2;
  }
  if (t == 0) {
    o[2 * blockIdx.x] = first[0];
    o[2 * blockIdx.x + 1] = second[0];
  }
}

// 9. A minimum by comparisons, of values that cannot be NaN.
// CHECK-LABEL: namespace compared_hone
// CHECK: fminf(
__global__ void compared(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float least = 1e30f;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (a[i] < least) least = a[i];
  sh[threadIdx.x] = least;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      if (sh[threadIdx.x + s] < sh[threadIdx.x]) sh[threadIdx.x] = sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// 10. A sum in every iteration of a loop: the next one waits for the parts of the last.
// CHECK-LABEL: namespace inLoop_hone
// CHECK: for (int r = 0; r < rows; ++r) {
// CHECK: __syncthreads();
// CHECK: __shfl_xor_sync
// CHECK: __syncthreads();
// CHECK: o[r] =
__global__ void inLoop(const int* a, int* o, int rows, int n) {
  __shared__ int sh[256];
  for (int r = 0; r < rows; ++r) {
    int s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[r * n + i];
    sh[threadIdx.x] = s;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
      if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
      __syncthreads();
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) o[r] = sh[0];
    __syncthreads();
  }
}

// 11. In registers, with what another thread has left.
// CHECK-LABEL: namespace inRegister_hone
// CHECK: __shfl_xor_sync
__global__ void inRegister(const double* a, double* o, int n) {
  __shared__ double sh[256];
  unsigned tid = threadIdx.x;
  double mine = a[tid] + a[tid + blockDim.x];
  sh[tid] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) sh[tid] = mine = mine + sh[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    if (blockDim.x >= 64) mine += sh[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  }
  if (tid == 0) o[blockIdx.x] = mine;
}

// 12. One value that all threads share in a variable of the block.
// CHECK-LABEL: namespace shared_hone
// CHECK: __shfl_xor_sync
__global__ void shared(const int* a, int* o, int n) {
  __shared__ int parts[256];
  __shared__ int whole;
  parts[threadIdx.x] = a[threadIdx.x] * 3;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s += s) {
    if ((threadIdx.x & (2 * s - 1)) == 0) parts[threadIdx.x] = parts[threadIdx.x] + parts[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) whole = parts[0];
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x] - whole;
}

// 13. Blocks of two axes.
// CHECK-LABEL: namespace plane_hone
// CHECK: __shfl_xor_sync
__global__ void plane(const int* a, int* o, int n) {
  __shared__ int sh[256];
  int at = threadIdx.y * blockDim.x + threadIdx.x;
  sh[at] = a[blockIdx.x * blockDim.x * blockDim.y + at];
  __syncthreads();
  for (int s = blockDim.x * blockDim.y / 2; s > 0; s >>= 1) {
    if (at < s) sh[at] += sh[at + s];
    __syncthreads();
  }
  if (at == 0) o[blockIdx.x] = sh[0];
}

// 14. A maximum by warps of which one thread takes the greatest.
// CHECK-LABEL: namespace warpMost_hone
// CHECK: fmaxf(
// CHECK: __syncthreads();
// CHECK-NOT: __syncthreads();
// CHECK: expf(
__global__ void warpMost(const float* a, float* o, int n) {
  extern __shared__ float parts[];
  float most = -3.4e38f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, a[i]);
  for (int s = 16; s > 0; s /= 2) most = fmaxf(most, __shfl_down_sync(0xffffffff, most, s));
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = most;
  __syncthreads();
  if (threadIdx.x == 0) {
    float best = parts[threadIdx.x];
    for (int i = 1; i < blockDim.x / 32; ++i) best = fmaxf(best, parts[i]);
    parts[0] = best;
  }
  __syncthreads();
  float offset = parts[0];
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = expf(a[i] - offset);
}
