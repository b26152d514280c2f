// RUN: %hone opt %s --recipe prefetch --block 64 -o %t.cu 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'prefetch(to=shared)' --block 64 -o %t.cu 2>&1 | FileCheck --check-prefix=SHARED %s
// RUN: %hone opt %s --recipe 'prefetch(to=async, stages=5)' --kernel plain -o %t.cu 2>&1 | FileCheck --check-prefix=STAGES %s
// RUN: %hone opt %s --recipe 'prefetch(to=shared, stages=3)' --kernel plain -o %t.cu 2>&1 | FileCheck --check-prefix=MORE %s
// RUN: %hone opt %s --recipe 'prefetch(to=async)' --kernel bytes --block 64 -o %t.cu 2>&1 | FileCheck --check-prefix=BYTES %s
// RUN: %hone opt %s --recipe prefetch --kernel crowded --block 64 --target gtx280 -o %t.cu 2>&1 | FileCheck --check-prefix=CROWDED %s
// RUN: %hone opt %s --recipe 'prefetch(to=async)' --kernel plain --target gtx280 -o %t.cu 2>&1 | FileCheck --check-prefix=OLD %s

// CHECK: kernel `plain`: left alone: no loop fills a tile of shared memory and waits for it
// STAGES: kernel `plain`: left alone: stages is 2, 3 or 4
// MORE: kernel `plain`: left alone: more than two stages need to=async
// OLD: kernel `plain`: left alone: NVIDIA GeForce GTX 280 has no asynchronous copies
__global__ void plain(float* a) { a[threadIdx.x] = 1.0f; }

// CHECK: kernel `search`: left alone: the loop may end early: the tile after the last would be loaded for nothing
__global__ void search(const int* __restrict__ a, int* found, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = i + threadIdx.x < n ? a[i + threadIdx.x] : 0;
    __syncthreads();
    if (t[0] == 7) break;
    found[threadIdx.x] += t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `walking`: left alone: at changes inside the loop
__global__ void walking(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[64];
  int at = 0;
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[at + threadIdx.x];
    __syncthreads();
    at += t[0] & 1;
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `inplace`: left alone: a may be written in the loop
__global__ void inplace(int* a, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    a[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `many`: left alone: a thread loads 64 elements of a tile, too many to keep
__global__ void many(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    if (threadIdx.x == 0)
      for (int e = 0; e < 64; ++e) t[e] = a[i + e];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `unknown`: left alone: a loop that fills the tile has no number of iterations that is known
__global__ void unknown(const int* __restrict__ a, int* o, int n, int m) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    for (int e = threadIdx.x; e < m; e += 64) t[e] = a[i + e];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `chased`: left alone: the loop's condition is loaded from memory
__global__ void chased(const int* __restrict__ a, int* o, const int* __restrict__ n) {
  __shared__ int t[64];
  for (int i = 0; i < n[0]; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// SHARED: kernel `outside`: left alone: t is used outside the loop as well
__global__ void outside(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
  t[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] += t[63 - threadIdx.x];
}

// SHARED: kernel `large`: left alone: 65536 bytes of shared memory for a block; declared arrays may have 49152 on h200 (232448 are for arrays that are sized at the launch)
__global__ void large(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[8192];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// SHARED: kernel `given`: left alone: the size of t is known at the launch only
__global__ void given(const int* __restrict__ a, int* o, int n) {
  extern __shared__ int t[];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// Every second iteration computes with the tile of the iteration before.
// SHARED: kernel `kept`: left alone: t may be read as an earlier iteration left it: some elements are written in some iterations only
__global__ void kept(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    if (i % 128 == 0) t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// SHARED: kernel `pointed`: left alone: the address of t is taken
__global__ void pointed(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    const int* p = t;
    if (n > 100) p = t + 2;
    o[i + threadIdx.x] = p[0];
    __syncthreads();
  }
}

// SHARED: kernel `open`: left alone: no barrier keeps an iteration from the next
__global__ void open(const int* __restrict__ a, int* o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[threadIdx.x];
  }
}

// CHECK: kernel `aliased`: left alone: a may alias b{{.*}}
__global__ void aliased(const float* a, float* b, int n) {
  __shared__ float t[64];
  for (int i = blockIdx.x * 64; i + 64 < n; i += 64 * gridDim.x) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    b[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// BYTES: kernel `bytes`: left alone: asynchronous copies move 4, 8 or 16 bytes as they are loaded
__global__ void bytes(const char* __restrict__ a, int* __restrict__ o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `watched`: left alone: a is volatile
__global__ void watched(const volatile int* a, int* __restrict__ o, int n) {
  __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK: kernel `watchedTile`: left alone: t is volatile
__global__ void watchedTile(const int* a, int* __restrict__ o, int n) {
  volatile __shared__ int t[64];
  for (int i = 0; i < n; i += 64) {
    t[threadIdx.x] = a[i + threadIdx.x];
    __syncthreads();
    o[i + threadIdx.x] = t[63 - threadIdx.x];
    __syncthreads();
  }
}

// CROWDED: kernel `crowded`: left alone: 128 more registers on top of {{.*}} leave none of the 124 a thread can have
__global__ void crowded(const double* __restrict__ a, const double* __restrict__ b, double* __restrict__ o, int n) {
  __shared__ double s[2048];
  __shared__ double t[2048];
  for (int i = 0; i < n; i += 64) {
    for (int e = threadIdx.x; e < 2048; e += 64) {
      s[e] = a[i + e];
      t[e] = b[i + e];
    }
    __syncthreads();
    o[i + threadIdx.x] = s[63 - threadIdx.x] + t[2047 - threadIdx.x];
    __syncthreads();
  }
}
