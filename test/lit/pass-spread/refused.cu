// RUN: %hone opt %s --recipe spread --block 64 -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'spread(axis=x)' --kernel planes --block 8x8x2 -o - 2>&1 >/dev/null | FileCheck --check-prefix=X %s
// RUN: %hone opt %s --recipe 'spread(loop=L7)' --kernel sum --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=LOOP %s
// RUN: %hone opt %s --recipe 'spread(loop=L1.1)' --kernel inner --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=INNER %s
// RUN: %hone opt %s --recipe spread --kernel flat --block 64x4 -o - 2>&1 >/dev/null | FileCheck --check-prefix=TALL %s

// CHECK: kernel `none`: left alone: it has no loop
__global__ void none(float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) c[x] = 1;
}

// CHECK: kernel `sum`: left alone: L1 makes the sum s of its iterations
// LOOP: kernel `sum`: left alone: there is no loop L7 (there are L1)
__global__ void sum(float* c, const float* a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (int j = 0; j < k; ++j) s += a[x * k + j];
  c[x] = s;
}

// CHECK: kernel `carried`: left alone: L1 carries last from iteration to iteration
__global__ void carried(float* c, const float* a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float last = 0;
  for (int j = 0; j < k; ++j) {
    c[x * k + j] = a[x * k + j] - last;
    last = a[x * k + j];
  }
}

// CHECK: kernel `chain`: left alone: iterations of L1 may touch what others of them store to c
__global__ void chain(float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 1; j < k; ++j) c[x * k + j] = c[x * k + j - 1] + 1;
}

// CHECK: kernel `twice`: left alone: iterations of L1 may touch what others of them store to c
__global__ void twice(float* c, const float* a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < k; ++j) c[x * k + j / 2] = a[x * k + j];
}

// CHECK: kernel `early`: left alone: L1 may end early
__global__ void early(float* c, const float* a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < k; ++j) {
      if (a[j] < 0) break;
      c[j * n + x] = a[j];
    }
}

// CHECK: kernel `nothing`: left alone: L1 stores nothing
__global__ void nothing(float* c, const float* a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < k; ++j) float unused = a[j];
}

// CHECK: kernel `lengths`: left alone: how many iterations L1 has is not known before the launch
__global__ void lengths(float* c, const int* k, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  const int length = k[x];
  for (int j = 0; j < length; ++j) c[x * 100 + j] = j;
}

// CHECK: kernel `triangle`: left alone: how many iterations L1 has is not known before the launch
__global__ void triangle(float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < x; ++j) c[x * n + j] = j;
}

// CHECK: kernel `once`: left alone: L1 has fewer than two iterations
__global__ void once(float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < 1; ++j) c[x + j] = j;
}

// CHECK: kernel `stores`: left alone: something is stored outside of the loop
__global__ void stores(float* c, float* d, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  d[x] = 1;
  for (int j = 0; j < k; ++j) c[j * n + x] = j;
}

// CHECK: kernel `says`: left alone: threads do more than compute outside of the loop
__global__ void says(float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  printf("%d\n", x);
  for (int j = 0; j < k; ++j) c[j * n + x] = j;
}

// CHECK: kernel `tells`: left alone: iterations of L1 do more than compute and store
__global__ void tells(float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < k; ++j) {
      c[j * n + x] = j;
      printf("%d\n", x);
    }
}

// CHECK: kernel `reads`: left alone: c is read outside of L1, which stores to it
__global__ void reads(float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float first = c[x];
  for (int j = 1; j < k; ++j) c[j * n + x] = first;
}

// CHECK: kernel `unknown`: left alone: L1 touches memory that is not known, and stores
__global__ void unknown(float* c, float* const* from, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  const float* a = from[0];
  for (int j = 0; j < k; ++j) c[j * n + x] = a[j];
}

// CHECK: kernel `together`: left alone: threads of its blocks work together already
__global__ void together(float* c, const float* a, int n, int k) {
  __shared__ float tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int j = 0; j < k; ++j) c[j * n + threadIdx.x] = tile[threadIdx.x ^ 1];
}

// CHECK: kernel `counters`: left alone: L1 calls atomic_add, which does more than compute a value
__global__ void counters(int* c, const int* a, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int j = 0; j < k; ++j) atomicAdd(&c[a[j * n + x]], 1);
}

// CHECK: kernel `knows`: left alone: iterations of L1 know which thread does them
__global__ void knows(float* c, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = id; i < n; i += gridDim.x * blockDim.x) c[i] = id;
}

// CHECK: kernel `knowsInBlock`: left alone: iterations of L1 know which thread does them
__global__ void knowsInBlock(float* c, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) c[blockIdx.x * n + i] = threadIdx.x;
}

// CHECK: kernel `onward`: left alone: L1 does not begin at the thread's own number
__global__ void onward(float* c, int n) {
  for (int i = 2 * threadIdx.x; i < n; i += blockDim.x) c[blockIdx.x * n + i] = 1;
}

// CHECK: kernel `columns`: left alone: it uses further axes of its grid than x
__global__ void columns(float* c, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) c[(blockIdx.y * gridDim.x + blockIdx.x) * n + i] = 1;
}

// CHECK: kernel `planes`: left alone: the kernel uses all axes of its grid
// X: kernel `planes`: left alone: the kernel uses x already
__global__ void planes(float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < n && y < n && z < n)
    for (int j = 0; j < k; ++j) c[((j * n + z) * n + y) * n + x] = j;
}

// CHECK: kernel `far`: left alone: the variable of L1 could pass the end of its type in further threads
__global__ void far(float* c, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (unsigned j = k; j > 0; --j) c[j * n + x] = j;
}

// INNER: kernel `inner`: left alone: the loop stands inside another one
__global__ void inner(float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  while (x < n) {
    for (int j = 0; j < 4; ++j) c[x * 4 + j] = j;
    x += n;
  }
}

// Along y there are threads already that do the same.
// TALL: kernel `flat`: left alone: its blocks have threads along that axis already, which do the same
__global__ void flat(float* c, const float* a, int n, int k) {
  int x = blockIdx.x * 64 + threadIdx.x;
  if (x < n)
    for (int j = 0; j < k; ++j) c[j * n + x] = a[x];
}
