// RUN: not %hone verify %s --kernel triangular --recipe 'block(x=64) stage' | FileCheck --check-prefix=TRIANGULAR %s
// RUN: not %hone verify %s --kernel copy --recipe 'block(x=64) stage' | FileCheck --check-prefix=COPY %s
// RUN: %hone verify %s --kernel copy --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=NAMED %s
// RUN: not %hone verify %s --kernel in_place --recipe 'block(x=64) stage' | FileCheck --check-prefix=INPLACE %s
// RUN: not %hone verify %s --kernel indirect --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=INDIRECT %s
// RUN: not %hone verify %s --kernel chosen --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=CHOSEN %s
// RUN: not %hone verify %s --kernel chosen --recipe 'block(x=64) stage(q)' | FileCheck --check-prefix=NAME %s
// RUN: not %hone verify %s --kernel own_tile --block 64 --recipe 'stage(t)' | FileCheck --check-prefix=WRITTEN %s
// RUN: not %hone verify %s --kernel rows --recipe 'block(x=256) stage(a, depth=64)' | FileCheck --check-prefix=LARGE %s
// RUN: not %hone verify %s --kernel rows --recipe 'block(x=64) stage(a, loop=L7)' | FileCheck --check-prefix=LOOP %s
// RUN: not %hone verify %s --kernel rows --recipe 'block(x=64) stage(b, loop=L1)' | FileCheck --check-prefix=OUTSIDE %s
// RUN: not %hone verify %s --kernel strided --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=STRIDED %s
// RUN: not %hone verify %s --kernel waiting --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=WAITING %s
// RUN: not %hone verify %s --kernel doubling --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=DOUBLING %s
// RUN: not %hone verify %s --kernel parts --recipe 'block(x=64) stage(p)' | FileCheck --check-prefix=PARTS %s
// RUN: not %hone verify %s --kernel leaves --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=LEAVES %s
// RUN: not %hone verify %s --kernel bound --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=BOUND %s
// RUN: not %hone verify %s --kernel fixed --recipe 'block(x=64) stage(a, loop=L1)' | FileCheck --check-prefix=FIXED %s
// RUN: not %hone verify %s --kernel header --recipe 'block(x=64) stage(a, loop=L1)' | FileCheck --check-prefix=HEADER %s
// RUN: not %hone verify %s --kernel nothing --recipe 'block(x=64) stage' | FileCheck --check-prefix=NOTHING %s
// RUN: not %hone verify %s --kernel doubles --recipe 'block(x=64) stage' | FileCheck --check-prefix=DOUBLES %s
// RUN: not %hone verify %s --kernel spinning --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=RETURN %s

// RUN: not %hone verify %s --kernel down --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=WRAP %s
// RUN: not %hone verify %s --kernel below --recipe 'block(x=64) stage(a)' | FileCheck --check-prefix=BELOW %s
// RUN: %hone verify %s --kernel rows --target gtx280 --recipe 'block(x=256) stage' | FileCheck --check-prefix=SMALLER %s

// TRIANGULAR: the recipe leaves it alone: `a` is not staged: the bound of loop L1 differs between threads: the iterations of the loop at line {{[0-9]+}} differ between threads
__global__ void triangular(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (x < n) {
    for (int i = 0; i < x; ++i) s += a[i];
    o[x] = s;
  }
}

// COPY: the recipe leaves it alone: `a` is not staged: no reuse and already coalesced
// NAMED: kernel `copy`: equal in {{[0-9]+}} runs
__global__ void copy(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) o[x] = a[x];
}

// INPLACE: the recipe leaves it alone: `a` is not staged: a is written (a#1)
__global__ void in_place(float* a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n - 1) a[x] = a[x] + a[x + 1];
}

// INDIRECT: the recipe leaves it alone: `a` is not staged: the address of a#1 is not known: `at[x]` is loaded from memory
__global__ void indirect(const float* __restrict__ a, const int* __restrict__ at, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) o[x] = a[at[x]];
}

// CHOSEN: the recipe leaves it alone: `a` is not staged: when a#1 happens is not known: happens under a condition that is not known: `flags[i]` is loaded from memory
// NAME: the recipe leaves it alone: it has no array or access `q`; `hone explain` lists them
__global__ void chosen(const float* __restrict__ a, const int* __restrict__ flags, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < n; ++i)
      if (flags[i]) s += a[i];
    o[x] = s;
  }
}

// LARGE: the recipe leaves it alone: with the tiles a block needs 65536 bytes of shared memory; declared arrays may have 49152 on h200 (232448 are for arrays that are sized at the launch)
// LOOP: the recipe leaves it alone: `a` is not staged: there is no loop L7
// OUTSIDE: the recipe leaves it alone: `b` is not staged: it is not read in loop L1
__global__ void rows(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = b[x];
    for (int i = 0; i < k; ++i) s += a[x * k + i];
    o[x] = s;
  }
}

// DOUBLING: the recipe leaves it alone: `a` is not staged: loop L1 does not count one variable in equal steps
__global__ void doubling(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 1; i < n; i *= 2) s += a[i];
    o[x] = s;
  }
}

// STRIDED: the recipe leaves it alone: `a` is not staged: the step of loop L1 is no constant
__global__ void strided(const float* __restrict__ a, float* __restrict__ o, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < n; i += k) s += a[i];
    o[x] = s;
  }
}

// WAITING: the recipe leaves it alone: `a` is not staged: loop L1 is no `for` loop
__global__ void waiting(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    int i = 0;
    do {
      s += a[i];
      i += 1 + i / 8;
    } while (i < n);
    o[x] = s;
  }
}

struct Pair {
  float x, y;
};
// PARTS: the recipe leaves it alone: `p` is not staged: parts of the elements of p are accessed by themselves
__global__ void parts(const Pair* __restrict__ p, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += p[i].y;
    o[x] = s;
  }
}

// LEAVES: the recipe leaves it alone: `a` is not staged: how many iterations loop L1 has is not known: loop L1 may end early by break or return
__global__ void leaves(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < n; ++i) {
      s += a[i];
      if (s > x) break;
    }
    o[x] = s;
  }
}

// BOUND: the recipe leaves it alone: `a` is not staged: how many iterations loop L1 has is not known: how often loop L1 runs is not known: `count[0]` is loaded from memory
__global__ void bound(const float* __restrict__ a, const int* __restrict__ count, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    int m = count[0];
    float s = 0;
    for (int i = 0; i < m; ++i) s += a[i];
    o[x] = s;
  }
}

// FIXED: the recipe leaves it alone: `a` is not staged: what the block reads does not move with loop L1
__global__ void fixed(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int i = 0; i < n; ++i) o[i * n + x] = a[x] * i;
}

// HEADER: the recipe leaves it alone: `a` is not staged: the header of loop L1 reads it
__global__ void header(const int* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int i = 0; i < a[i]; ++i) o[i * n + x] = i;
}

// WRITTEN: the recipe leaves it alone: `t` is no array in global memory that is read or stored to
__global__ void own_tile(const float* a, float* o) {
  __shared__ float t[64];
  t[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = t[63 - threadIdx.x];
}

// WRAP: the recipe leaves it alone: `a` is not staged: loop L1 counts in numbers that could wrap
__global__ void down(const float* __restrict__ a, float* __restrict__ o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (unsigned i = n; i > 0; --i) s += a[i - 1];
  o[x] = s;
}

// BELOW: the recipe leaves it alone: 32-bit unsigned arithmetic must not wrap, which cannot be made sure of before the launch
__global__ void below(const float* __restrict__ a, float* __restrict__ o, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (unsigned i = 0; i < n; ++i) s += a[(size_t)(i - 3u) + 3];
  o[x] = s;
}

// Without a depth given, tiles shrink until they fit.
// SMALLER: kernel `rows`: equal in {{[0-9]+}} runs

// NOTHING: the recipe leaves it alone: it reads no array in global memory
__global__ void nothing(float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) o[x] = x;
}

// DOUBLES: the recipe leaves it alone: all that it reads in global memory it changes in the same statement
__global__ void doubles(float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) o[x] *= 2;
}

// RETURN: the recipe leaves it alone: an early return that no if can stand for is in the way of barriers
__global__ void spinning(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  float s = 0;
  for (int i = 0; i < n; ++i) {
    if (i == n - 2) return;
    s += a[i];
    o[x] = s;
  }
}
