// Where one thread cannot do what the threads of a block do.
// RUN: %hone opt %s --reassociate --block 256 --recipe untree --no-verify -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --block 256 --recipe untree --no-verify --kernel order --kernel loopOrder -o - 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// RUN: %hone opt %s --reassociate --block 1 --recipe untree --no-verify --kernel order -o - 2>&1 >/dev/null | FileCheck --check-prefix=ONE %s
// RUN: %hone opt %s --reassociate --block 48x2 --recipe untree --no-verify --kernel crooked -o - 2>&1 >/dev/null | FileCheck --check-prefix=CROOKED %s
// ONE: kernel `order`: left alone: blocks of 1 threads put no values together
// ORDER: kernel `order`: left alone: the order of the sum s would change; pass --reassociate to permit it
// ORDER: kernel `loopOrder`: left alone: the order of the maximum of s would change; pass --reassociate to permit it
// CROOKED: kernel `crooked`: left alone: what the first threads of its groups know is no sum of the group's number

__device__ float blockSum(float* sh, float s) {
  sh[threadIdx.x] = s;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  return sh[0];
}

__global__ void order(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i * gridDim.x + blockIdx.x];
  sh[threadIdx.x] = s;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] += sh[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// The tree is exact, the loop is not.
__global__ void loopOrder(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = -1;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (a[i * gridDim.x + blockIdx.x] > s) s = a[i * gridDim.x + blockIdx.x];
  sh[threadIdx.x] = s;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (threadIdx.x < h) sh[threadIdx.x] = fmaxf(sh[threadIdx.x], sh[threadIdx.x + h]);
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = sh[0];
}

// CHECK: kernel `alone`: left alone: its threads put no values together
__global__ void alone(const int* a, int* o) { o[threadIdx.x] = a[threadIdx.x]; }

// Threads that store what no loop deals out to them.
// CHECK: kernel `each`: left alone: what threads of a block do differs by more than their share of a loop
__global__ void each(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  float all = blockSum(sh, s);
  o[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// What a thread has summed up is used before it is put together.
// CHECK: kernel `early`: left alone: s is used where each thread has one of its own
__global__ void early(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  if (threadIdx.x == 0) o[1] = s;
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[0] = all;
}

// CHECK: kernel `fenced`: left alone: its threads do what one of them could not do for all
__global__ void fenced(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[0] = all;
  __threadfence();
}

// The row in shared memory.
// CHECK: kernel `kept`: left alone: row keeps more than single values for the threads of a block
__global__ void kept(const float* a, float* o, int n) {
  __shared__ float sh[256], row[1024];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    row[i] = a[i];
    s += a[i];
  }
  float all = blockSum(sh, s);
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = row[i] / all;
}

// CHECK: kernel `added`: left alone: all threads of a block change the same memory
__global__ void added(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  float all = blockSum(sh, s);
  o[blockIdx.x] += all;
}

// One element of each thread.
// CHECK: kernel `once`: left alone: s is not what a loop has left to each thread as its part of the sum
__global__ void once(const float* a, float* o) {
  __shared__ float sh[256];
  float s = a[blockIdx.x * blockDim.x + threadIdx.x];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] = all;
}

// Blocks that share a sum.
// CHECK: kernel `overGrid`: left alone: iterations of a loop are not dealt out to the threads of a block one by one
__global__ void overGrid(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) atomicAdd(o, all);
}

// Some elements twice.
// CHECK: kernel `twice`: left alone: iterations of a loop are not dealt out to the threads of a block one by one
__global__ void twice(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 128) s += a[i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] = all;
}

// What is counted once for each thread.
// CHECK: kernel `begun`: left alone: each thread begins its part of the sum with what s held before
__global__ void begun(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 1;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] = all;
}

// CHECK: kernel `scaled`: left alone: s is carried from one iteration of a shared loop to the next
__global__ void scaled(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s = s * 0.5f + a[i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] = all;
}

// The last block is told from the others.
// CHECK: kernel `last`: left alone: by count its threads know more of each other than their sums
__global__ void last(const float* a, float* o, int* count, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) {
    int place = atomicAdd(count, 1);
    o[place] = all;
  }
}

// Rows that may overlap, which only the kernel can find out.
// CHECK: kernel `gathered`: left alone: threads of a block store what others of them may touch in a loop that they share
__global__ void gathered(const float* a, const int* ids, float* o, float* y, const float* table, int n) {
  __shared__ float sh[256];
  const int row = blockIdx.x, id = ids[row];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[blockIdx.x * n + i];
  float all = blockSum(sh, s);
  if (threadIdx.x == 0) o[blockIdx.x] = all;
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[row * n + i] = table[id * n + i];
}

// A scan of the row: iterations that read what others have stored.
// CHECK: kernel `scan`: left alone: iterations of L2 may touch what others of them store to o
__global__ void scan(const float* a, float* o, int n) {
  __shared__ float sh[256];
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s += a[blockIdx.x * n + i];
  float all = blockSum(sh, s);
  for (int i = threadIdx.x; i < n; i += blockDim.x) o[i + 1] = o[i] + all;
}

// Warps that read what others have stored.
// CHECK: kernel `waits`: left alone: groups of 32 threads, which make a sum each, wait for others
__global__ void waits(const float* a, float* o, int n) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float s = 0;
  for (int i = lane; i < n; i += 32) s += a[warp * n + i];
  for (int h = 16; h > 0; h /= 2) s += __shfl_xor_sync(0xffffffff, s, h);
  if (lane == 0) o[warp] = s;
  __syncthreads();
  if (lane == 0) o[warp + 8] = s - o[(warp + 1) % 8];
}

// Values that warps leave to each other.
// CHECK: kernel `leaves`: left alone: mean keeps more than single values for the threads of a block
__global__ void leaves(const float* a, float* o, int n) {
  __shared__ float mean;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float s = 0;
  for (int i = lane; i < n; i += 32) s += a[i];
  for (int h = 16; h > 0; h /= 2) s += __shfl_xor_sync(0xffffffff, s, h);
  if (lane == 0) mean = s / n;
  __syncwarp();
  if (lane == 0) o[warp] = s - mean;
}

__global__ void crooked(const float* a, float* o, int n) {
  int t = threadIdx.y * 48 + threadIdx.x;
  float s = 0;
  for (int i = t % 32; i < n; i += 32) s += a[i];
  for (int h = 16; h > 0; h /= 2) s += __shfl_xor_sync(0xffffffff, s, h);
  if (t % 32 == 0) o[blockIdx.x * 96 + threadIdx.x] = s;
}
