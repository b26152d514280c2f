// RUN: %hone opt %s --recipe swap-axes --block 16x16 -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'swap-axes(axes=xz)' --kernel good --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=OTHER %s
// RUN: not %hone opt %s --recipe 'swap-axes(axes=zz)' --kernel good --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=WRONG %s

// CHECK: refused.cu:[[@LINE+3]]: kernel `good`: left alone: no access gains by an exchange of x and y
// OTHER: kernel `good`: left alone: the kernel does not use both axes of xz
// WRONG: recipe: swap-axes: 'axes' is one of
__global__ void good(float* a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) a[y * w + x] += 1.0f;
}

// CHECK: refused.cu:[[@LINE+1]]: kernel `line`: left alone: the kernel uses one axis of its grid only
__global__ void line(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }

// CHECK: refused.cu:[[@LINE+3]]: kernel `shuffled`: left alone: threads of a warp exchange values by shfl_down_sync
__global__ void shuffled(float* a, int w) {
  float v = a[(blockIdx.x * blockDim.x + threadIdx.x) * w + threadIdx.y];
  v += __shfl_down_sync(0xffffffffu, v, 1);
  a[(blockIdx.x * blockDim.x + threadIdx.x) * w + threadIdx.y] = v;
}

// Lanes of a warp hand values to each other without a barrier.
// CHECK: kernel `warped`: left alone: threads may rely on sharing a warp: {{.*}}
__global__ void warped(const float* a, float* b, int w) {
  __shared__ volatile float t[256];
  int i = threadIdx.x + 16 * threadIdx.y;
  t[i] = a[(blockIdx.x * 16 + threadIdx.x) * w + blockIdx.y * 16 + threadIdx.y];
  b[(blockIdx.x * 16 + threadIdx.x) * w + blockIdx.y * 16 + threadIdx.y] = t[i ^ 1];
}

// CHECK: kernel `ticket`: left alone: what an atomic on next returns depends on the order of threads
__global__ void ticket(int* next, float* a, int w) {
  int x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.x * blockDim.x + threadIdx.x;
  int place = atomicAdd(next, 1);
  a[y * w + x] = place;
}

// CHECK: kernel `added`: left alone: atomics add to total in the order in which threads come; pass --reassociate to permit another
__global__ void added(float* total, const float* a, int w) {
  int x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(total, a[y * w + x]);
}

// A call in the step of a loop with continue stays a call.
// CHECK: kernel `stepping`: left alone: the call of own uses coordinates of the thread and cannot be inlined
__device__ int own() { return threadIdx.x; }
__global__ void stepping(float* a, int n) {
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 0) continue;
    a[i * n + threadIdx.x + threadIdx.y] = 0.0f;
  }
}
