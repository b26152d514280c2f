// RUN: %hone opt %s --recipe 'merge-threads(x=2, how=adjacent)' --block 66 2>&1 | FileCheck %s
// RUN: %hone opt %s --recipe 'merge-threads' --kernel plain 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %hone opt %s --recipe 'merge-threads(x=64, y=32)' --kernel plain 2>&1 | FileCheck --check-prefix=MANY %s
// RUN: %hone opt %s --recipe 'merge-threads(x=4, how=strided)' --kernel plain --block 66 2>&1 | FileCheck --check-prefix=DIVIDE %s
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' --kernel dynamic 2>&1 | FileCheck --check-prefix=DYNAMIC %s
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' --kernel large 2>&1 | FileCheck --check-prefix=LARGE %s
// RUN: %hone opt %s --recipe 'merge-threads(x=2, how=strided, run=2)' --kernel plain --block 66 2>&1 | FileCheck --check-prefix=LENGTH %s
// RUN: %hone opt %s --recipe 'merge-threads(x=6, how=groups)' --kernel plain --block 66 2>&1 | FileCheck --check-prefix=GROUPS %s
// RUN: %hone opt %s --recipe 'merge-threads(x=2)' --kernel stepping 2>&1 | FileCheck --check-prefix=STEPPING %s
// RUN: not %hone opt %s --recipe 'merge-threads(x=2, how=often)' 2>&1 | FileCheck --check-prefix=WORD %s
// RUN: %hone opt %s --recipe 'block(x=64) merge-threads(y=2)' --kernel line --no-verify 2>&1 | FileCheck --check-prefix=LINE %s

// NONE: kernel `plain`: left alone: merge-threads needs x, y or z above 1
// MANY: kernel `plain`: left alone: 2048 threads in one would need far too many registers
// DIVIDE: kernel `plain`: left alone: blocks have 66 threads along x, which 4 does not divide
// GROUPS: kernel `plain`: left alone: 6 threads along x do not make groups of 4
// LENGTH: kernel `plain`: left alone: run is for how=groups
// WORD: 'how' is one of blocks, adjacent, strided, groups, not 'often'
__global__ void plain(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

__global__ void shuffles(float* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `shuffles`: left alone: threads exchange values in groups by shfl_down_sync
  a[threadIdx.x] += __shfl_down_sync(0xffffffffu, a[threadIdx.x], 1);
}

__global__ void warpBarrier(float* a) {
  a[threadIdx.x] = 1;
  // CHECK: refused.cu:[[@LINE+1]]: kernel `warpBarrier`: left alone: threads of a warp wait for each other
  __syncwarp();
  a[threadIdx.x] += a[threadIdx.x ^ 1];
}

__global__ void fenced(float* a, int* flag) {
  a[blockIdx.x] = 1;
  // CHECK: refused.cu:[[@LINE+1]]: kernel `fenced`: left alone: a memory fence orders what blocks tell each other
  __threadfence();
  *flag = 1;
}

__global__ void votes(const int* a, int* n) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `votes`: left alone: a barrier counts votes of the block
  int count = __syncthreads_count(a[threadIdx.x] > 0);
  if (threadIdx.x == 0) n[blockIdx.x] = count;
}

__global__ void volatileLocal(float* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `volatileLocal`: left alone: `s` is volatile
  __shared__ volatile float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[threadIdx.x];
}

__global__ void volatileMemory(volatile float* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `volatileMemory`: left alone: it accesses volatile memory
  a[threadIdx.x] = 1;
}

__global__ void asksWarp(int* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `asksWarp`: left alone: it asks for the size of a warp
  a[threadIdx.x] = threadIdx.x % warpSize;
}

__global__ void clocks(long long* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `clocks`: left alone: clock64 depends on where or when a thread runs
  long long t = clock64();
  a[threadIdx.x] = t;
}

__global__ void floatAtomic(float* sum, const float* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `floatAtomic`: left alone: atomics add floating-point numbers in the order in which threads come; pass --reassociate to permit another
  atomicAdd(sum, a[threadIdx.x]);
}

__global__ void locks(int* lock, int* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `locks`: left alone: threads wait for each other at a lock
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  a[0] += 1;
  atomicExch(lock, 0);
}

// Thread 0 waits for thread 1.
__global__ void waitsFor(int* flag, int* a) {
  if (threadIdx.x % 2) {
    a[0] = 1;
    atomicExch(flag, 1);
  } else {
    // CHECK: refused.cu:[[@LINE+1]]: kernel `waitsFor`: left alone: threads wait for each other at a lock
    while (atomicAdd(flag, 0) == 0) {
    }
    a[1] = a[0];
  }
}

__device__ volatile int turn;
__global__ void takesTurns(int* a) {
  // CHECK: refused.cu:[[@LINE+1]]: kernel `takesTurns`: left alone: `turn` is volatile
  while (turn != threadIdx.x) {
  }
  a[0] += threadIdx.x;
  turn = turn + 1;
}

// Threads 0 and 1, which would become one, do not come to it the same number of times.
__global__ void unevenBarrier(int* a) {
  for (int i = 0; i < threadIdx.x; ++i) {
    a[threadIdx.x] += i;
    // CHECK: refused.cu:[[@LINE+1]]: kernel `unevenBarrier`: left alone: a barrier stands in a loop or choice that the merged threads do not take alike
    __syncthreads();
  }
}

// DYNAMIC: kernel `dynamic`: left alone: shared memory `s`, sized at the launch, would hold different data for the merged blocks
__global__ void dynamic(float* a) {
  extern __shared__ float s[];
  s[threadIdx.x] = a[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

// LARGE: kernel `large`: left alone: copies for the merged blocks need 65536 bytes of shared memory; declared arrays may have 49152 on h200 (232448 are for arrays that are sized at the launch)
__global__ void large(float* a) {
  __shared__ float s[8192];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = a[i];
  __syncthreads();
  a[i] = s[blockDim.x - 1 - threadIdx.x];
}

// LINE: kernel `line`: left alone: the grid has one block along y
__global__ void line(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}

// A call in the step of a loop with continue stays a call.
__device__ int own() { return threadIdx.x + 1; }
__global__ void stepping(float* a, int n) {
  // STEPPING: left alone: the call of own uses coordinates of the thread and cannot be inlined
  // CHECK: refused.cu:[[@LINE+1]]: kernel `stepping`: left alone: the call of own uses coordinates of the thread and cannot be inlined
  for (int i = 0; i < n; i += own()) {
    if (i % 3 == 2) continue;
    a[i * 128 + threadIdx.x] = i;
  }
}
