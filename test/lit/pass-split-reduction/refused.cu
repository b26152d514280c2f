// Reasons for which split-reduction leaves a kernel alone.
// RUN: %hone opt %s --recipe split-reduction --reassociate 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe split-reduction --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=ORDER %s
// RUN: %hone opt %s --recipe 'split-reduction(L5)' --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=NOLOOP %s
// RUN: %hone opt %s --recipe 'split-reduction(ways=8)' --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=LANES %s
// RUN: %hone opt %s --recipe 'split-reduction(over=block, ways=96)' --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=HALVE %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, ways=5000)' --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=MANY %s
// RUN: %hone opt %s --recipe 'split-reduction(rows=64)' --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=ROWS %s
// RUN: %hone opt %s --recipe 'split-reduction(over=grid)' --reassociate --kernel three 2>&1 >/dev/null | FileCheck --check-prefix=AXES %s
// RUN: %hone opt %s --recipe split-reduction --kernel addsUp 2>&1 >/dev/null | FileCheck --check-prefix=ATOMICS %s
// Lanes of a warp share these; blocks do not.
// RUN: %hone opt %s --recipe 'split-reduction(over=grid)' --reassociate --no-verify 2>&1 >/dev/null | FileCheck --check-prefix=GRID %s
// ATOMICS: kernel `addsUp`: left alone: atomics add floating-point numbers in the order in which threads come; pass --reassociate to permit another
// ORDER: kernel `floats`: left alone: the order of the sum sum would change; pass --reassociate to permit it
// NOLOOP: kernel `floats`: left alone: there is no loop L5 (there are L1)
// LANES: kernel `floats`: left alone: a warp has 32 lanes, not 8
// HALVE: kernel `floats`: left alone: 96 threads cannot halve their sums: a power of two up to 1024 can
// MANY: kernel `floats`: left alone: 5000 blocks for one sum are too many
// RUN: %hone opt %s --recipe 'split-reduction(over=grid, rows=24)' --kernel floats 2>&1 >/dev/null | FileCheck --check-prefix=EVENLY %s
// ROWS: kernel `floats`: left alone: 64 sums of 32 threads each do not fit in a block
// EVENLY: kernel `floats`: left alone: 24 sums do not share a block of 256 threads evenly
// AXES: kernel `three`: left alone: its grid has three axes, which leaves none for the blocks that share a loop

__global__ void floats(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[i * n + j];
  y[i] = sum;
}

__global__ void three(const float* a, float* y, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= n || z >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[(z * n + x) * n + j];
  y[z * n + x] = sum;
}

__global__ void addsUp(const int* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += a[i * n + j];
  atomicAdd(y, (float)sum * 0.1f);
}

// CHECK: kernel `plain`: left alone: it has no loop
__global__ void plain(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

// CHECK: kernel `together`: left alone: threads of its blocks work together already
__global__ void together(const float* a, float* y, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j];
  s[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}

// CHECK: kernel `activeThreads`: left alone: activemask depends on where or when a thread runs
__global__ void activeThreads(const int* a, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += a[i * n + j];
  unsigned mask = __activemask();
  y[i] = sum + __popc(mask);
}

// CHECK: kernel `fences`: left alone: it orders its memory with fences
__global__ void fences(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j];
  y[i] = sum;
  __threadfence();
}

// CHECK: kernel `flags`: left alone: it uses volatile memory
__global__ void flags(const volatile float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j];
  y[i] = sum;
}

// CHECK: kernel `shaped`: left alone: its block shape is not free: threadIdx.x is used outside a global id
__global__ void shaped(const float* a, float* y, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j];
  y[threadIdx.x] = sum;
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `vectors`: left alone: sum is no plain number
__global__ void vectors(const float2* a, float2* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 sum = make_float2(0, 0);
  for (int j = 0; j < n; ++j) {
    sum.x += a[j].x;
    sum.y += a[j].y;
  }
  y[i] = sum;
}

// GRID: refused.cu:[[@LINE+5]]: kernel `stores`: left alone: something is stored before the loop
__global__ void stores(const float* a, float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i] = 1;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j];
  y[i] = sum;
}

// GRID: refused.cu:[[@LINE+5]]: kernel `points`: left alone: a pointer into an array is made before the loop
__global__ void points(const float4* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* first = &a[i * n].x;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += first[4 * j];
  y[i] = sum;
}

// CHECK: refused.cu:[[@LINE+5]]: kernel `says`: left alone: threads do more than compute before the loop
__global__ void says(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  printf("%d", i);
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j];
  y[i] = sum;
}

// GRID: refused.cu:[[@LINE+5]]: kernel `goes_on`: left alone: the kernel goes on behind the block that the loop stands in
__global__ void goes_on(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  if (i < n) {
    for (int j = 0; j < n; ++j) sum += a[j];
  }
  y[i] = sum;
}

// GRID: refused.cu:[[@LINE+5]]: kernel `branches`: left alone: the other branch of an if around the loop stores something
__global__ void branches(const float* a, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (m > 3) {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += a[j];
    y[i] = sum;
  } else {
    y[i] = 0;
  }
}

// CHECK: refused.cu:[[@LINE+4]]: kernel `down`: left alone: L1 does not count by a number, or its iterations could be too many to count
__global__ void down(const float* a, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int j = n; j > 0; j -= m) sum += a[j];
  y[i] = sum;
}

// RUN: %hone opt %s --recipe 'split-reduction(L1.1)' --reassociate --kernel inner 2>&1 >/dev/null | FileCheck --check-prefix=INNER %s
// INNER: kernel `inner`: left alone: the loop stands inside another one
__global__ void inner(const float* a, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += a[k * n + j];
    y[i * n + k] = sum;
  }
}

// CHECK: kernel `stepOfThread`: left alone: the step of L1 is not known before the launch
__global__ void stepOfThread(const int* a, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int j = 0; j < n; j += i + 1) sum += a[j];
  y[i] = sum;
}

// CHECK: kernel `stepFromMemory`: left alone: the step of L1 is not known before the launch
__global__ void stepFromMemory(const int* a, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0, step = a[0];
  for (int j = 0; j < n; j += step) sum += a[j];
  y[i] = sum;
}
