// Reasons for which unstage leaves a tile where it is. L1 to L11 are the conditions that docs/passes/unstage.md lists.
// RUN: %hone opt %s --recipe 'unstage' --block 64 -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'unstage(other)' --kernel computed --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=NAME %s
// RUN: %hone opt %s --recipe 'unstage(first)' --kernel fromTile --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=TILE %s
// NAME: kernel `computed`: left alone: there is no shared array other
#include <cuda_runtime.h>

#define ID int t = threadIdx.x, x = blockIdx.x * 64 + t
#define ARRAYS const float* __restrict__ in, float* __restrict__ out, int n

// L1: the value is not what was loaded.
// CHECK: kernel `computed`: left alone: what fills tile is more than a value of global memory: it is computed
__global__ void computed(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x] * 2;
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `updated`: left alone: tile is more than a copy of global memory: it is updated
__global__ void updated(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  tile[t] += 1;
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `inParts`: left alone: tile is not filled by assignments of whole elements
__global__ void inParts(const float* __restrict__ in, float2* __restrict__ out) {
  __shared__ float2 tile[64];
  ID;
  tile[t].x = in[x];
  tile[t].y = in[x + 64];
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `fromTile`: left alone: second is volatile: threads may hand each other values without barriers
// TILE: kernel `fromTile`: left alone: what fills first does not come from global memory
__global__ void fromTile(ARRAYS) {
  __shared__ float first[64];
  __shared__ volatile float second[64];
  ID;
  second[t] = in[x];
  __syncthreads();
  first[t] = second[63 - t];
  __syncthreads();
  out[x] = first[t];
}

// CHECK: kernel `summed`: left alone: tile is filled from v, which does not hold one value there
__global__ void summed(ARRAYS) {
  __shared__ float tile[64];
  ID;
  float v = 0;
  for (int i = 0; i < n; ++i) v += in[x + i];
  tile[t] = v;
  __syncthreads();
  out[x] = tile[63 - t];
}

// L2: any block may have written what is read later.
// CHECK: kernel `inPlace`: left alone: data is written (data#2)
__global__ void inPlace(float* data) {
  __shared__ float tile[64];
  ID;
  tile[t] = data[x];
  __syncthreads();
  data[x] = tile[63 - t];
}

// CHECK: kernel `gathered`: left alone: where tile is filled from is not known: `at[x]` is loaded from memory
__global__ void gathered(const float* in, const int* __restrict__ at, float* out) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[at[x]];
  __syncthreads();
  out[x] = tile[63 - t];
}

// L3, L4: elements between those that are written, and beyond them.
// CHECK: kernel `holes`: left alone: what is read of tile is not known to be filled: element [1] is read, which was not written before in the same iteration
__global__ void holes(ARRAYS) {
  __shared__ float tile[128];
  ID;
  tile[2 * t] = in[x];
  __syncthreads();
  out[x] = tile[t];
}

// CHECK: kernel `beyond`: left alone: what is read of tile is not known to be filled: element [64] is read, which was not written before in the same iteration
__global__ void beyond(ARRAYS) {
  __shared__ float tile[65];
  ID;
  tile[t] = in[x];
  __syncthreads();
  out[x] = tile[t + 1];
}

// CHECK: kernel `guarded`: left alone: what is read of tile is not known to be filled: element [0] is read, which was not written before in the same iteration
__global__ void guarded(ARRAYS) {
  __shared__ float tile[64];
  ID;
  if (x < n) tile[t] = in[x];
  __syncthreads();
  out[x] = tile[t];
}

// L5: two ways of filling one element.
// CHECK: kernel `twice`: left alone: elements of tile are filled twice, and which value is the last is not known
__global__ void twice(const float* __restrict__ a, ARRAYS) {
  __shared__ float tile[64];
  ID;
  for (int i = 0; i < 2; ++i) {
    tile[t] = in[x];
    tile[t] = a[x];
  }
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `numbers`: left alone: tile is filled with different numbers, by conditions that cannot be asked again
__global__ void numbers(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = x < n ? in[x] : x == n ? 1.0f : 0.0f;
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `byData`: left alone: tile is filled under a condition that cannot be asked again: compares flags[x] with value
__global__ void byData(const float* __restrict__ flags, ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = flags[x] > 0 ? in[x] : 0.0f;
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `neverSet`: left alone: tile may be filled with a value that was never set
__global__ void neverSet(ARRAYS) {
  __shared__ float tile[64];
  ID;
  float v;
  if (x < n) v = in[x];
  tile[t] = v;
  __syncthreads();
  out[x] = tile[63 - t];
}

// L6: what an iteration before left.
// CHECK: kernel `before`: left alone: what is read of tile is not known to be filled: what is read was written in an iteration before
__global__ void before(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += tile[63 - t];
    __syncthreads();
    tile[t] = in[x + 64 * i];
    __syncthreads();
  }
  out[x] = sum;
}

// CHECK: kernel `twoHalves`: left alone: what is read of tile is not known to be filled: element [0][0] is read, which was not written before in the same iteration
__global__ void twoHalves(ARRAYS) {
  __shared__ float tile[2][64];
  ID;
  tile[0][t] = in[x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    tile[(i + 1) % 2][t] = in[x + 64 * (i + 1)];
    sum += tile[i % 2][63 - t];
    __syncthreads();
  }
  out[x] = sum;
}

// L7: what the element came from has no expression where it is read.
// CHECK: kernel `stepped`: left alone: what tile#2 came from cannot be written where it is read: {{.+}}
__global__ void stepped(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  float sum = 0;
  int k = 0;
  while (k < 64) {
    sum += tile[k];
    ++k;
    sum *= tile[k - 1];
  }
  out[x] = sum;
}

// CHECK: kernel `picked`: left alone: what is read of tile is not known to be filled: the address of tile#2 is not understood
__global__ void picked(const int* __restrict__ at, ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  out[x] = tile[at[x] & 63];
}

// L9: threads that rely on no barrier.
// CHECK: kernel `unordered`: left alone: no barrier stands between accesses of tile: write of tile (line [[#@LINE+4]]) before read (line [[#@LINE+5]])
__global__ void unordered(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  out[x] = tile[63 - t];
}

// CHECK: kernel `inStep`: left alone: tile is volatile: threads may hand each other values without barriers
__global__ void inStep(ARRAYS) {
  __shared__ volatile float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  out[x] = tile[63 - t];
}

// Several threads write one element, each something else.
// CHECK: kernel `crowded`: left alone: which element of in came to an element of tile cannot be told from the element: threads differ
__global__ void crowded(ARRAYS) {
  __shared__ float tile[32];
  ID;
  for (int i = 0; i < 2; ++i) tile[t] = in[x + i];
  __syncthreads();
  out[x] = tile[t];
}

// CHECK: kernel `crowdedGuard`: left alone: under which condition an element of tile was filled cannot be told from the element
__global__ void crowdedGuard(ARRAYS) {
  __shared__ float tile[64];
  ID;
  for (int i = 0; i < 2; ++i) tile[t] = x + i < n ? in[x] : 0.0f;
  __syncthreads();
  out[x] = tile[t];
}

// CHECK: kernel `scattered`: left alone: which elements of tile a statement fills cannot be written as a condition
__global__ void scattered(const float* __restrict__ a, ARRAYS) {
  __shared__ float tile[64];
  ID;
  if (t == 1 || t == 5 || t == 9 || t == 20 || t == 31 || t == 40)
    tile[t] = in[x];
  else
    tile[t] = a[x];
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `otherType`: left alone: tile is read as another type than it is filled with
__global__ void otherType(const float* __restrict__ in, int* __restrict__ out) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  out[x] = ((int*)tile)[63 - t];
}

// CHECK: kernel `partOfPlace`: left alone: tile is filled with parts of elements
__global__ void partOfPlace(const float4* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x].y;
  __syncthreads();
  out[x] = tile[63 - t];
}

// CHECK: kernel `handed`: left alone: tile is reached through pointers that remain
__global__ void handed(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  const float* p = n > 5 ? tile : in;
  out[x] = tile[63 - t] + p[0];
}

// CHECK: kernel `unread`: left alone: tile is not read
__global__ void unread(ARRAYS) {
  __shared__ float tile[64];
  ID;
  tile[t] = in[x];
  __syncthreads();
  out[x] = in[x];
}

// CHECK: kernel `plain`: left alone: it has no shared memory
__global__ void plain(ARRAYS) {
  ID;
  out[x] = in[x];
}
