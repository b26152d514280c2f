// What must hold of a launch before tiles are made, and cannot be tested or written.
// RUN: %hone opt %s --recipe 'block(x=64) stage(a)' -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'block(x=64) stage(o)' -o - 2>&1 >/dev/null | FileCheck --check-prefix=STORE %s
// RUN: %hone opt %s --recipe 'stage(a)' --block 64 -o - 2>&1 >/dev/null | FileCheck --check-prefix=OWN %s

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+5]]: kernel `narrow`: left alone: the value must fit into 16 bits, which cannot be made sure of before the launch
__global__ void narrow(const float* __restrict__ a, float* __restrict__ o, int2 from, int n) {
  ID;
  float s = 0;
  for (int i = 0; i < n; ++i) {
    short k = i + from.x;
    s += a[k];
  }
  o[x] = s;
}

// CHECK: :[[#@LINE+3]]: kernel `short_products`: left alone: 24-bit multiplication, which cannot be made sure of before the launch
__global__ void short_products(const float* __restrict__ a, float* __restrict__ o, int2 n) {
  ID;
  o[x] = a[__mul24(x, n.x)] + a[__mul24(x, n.x) + 1];
}

// Where in the tile an element lies takes a lane of a parameter.
// OWN: :[[#@LINE+3]]: kernel `turns`: left alone: a subscript of a cannot be written again
__global__ void turns(const float* __restrict__ a, float* __restrict__ o, int2 by) {
  ID;
  o[x] = a[(x + by.x) & 63];
}

// STORE: :[[#@LINE+3]]: kernel `scatters`: left alone: `o` is not staged: o may alias a (`at[x]` is loaded from memory); add __restrict__ or pass --assume-noalias
__global__ void scatters(const float* a, const int* __restrict__ at, float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) o[3 * x + 1] = a[at[x]];
}
