// Arrays whose stores drop-temporaries must keep, since they may be read by another name.
// RUN: %hone opt %s --recipe drop-temporaries -o - 2>&1 >/dev/null | FileCheck %s
// RUN: %hone opt %s --recipe 'grid-sync(last=0) drop-temporaries' -o - 2>&1 >/dev/null | FileCheck --check-prefix=STEPS %s
#include <hone.h>

#define ID int x = blockIdx.x * blockDim.x + threadIdx.x

// CHECK: :[[#@LINE+2]]: kernel `throughRows`: left alone: tmp may be read under another name; add __restrict__ or pass --assume-noalias
#pragma hone temporary(tmp)
__global__ void throughRows(float* const* rows, float* tmp, float* o, int n) {
  ID;
  if (x < n) {
    tmp[x] = x;
    o[x] = rows[x][0];
  }
}

// CHECK: :[[#@LINE+2]]: kernel `gathered`: left alone: tmp may alias a (`at[x]` is loaded from memory); add __restrict__ or pass --assume-noalias
#pragma hone temporary(tmp)
__global__ void gathered(const float* a, const int* __restrict__ at, float* tmp, float* o, int n) {
  ID;
  if (x < n) {
    tmp[x] = x;
    o[x] = a[at[x]];
  }
}

// STEPS: :[[#@LINE+2]]: kernel `laterOn`: left alone: tmp may be read under another name; add __restrict__ or pass --assume-noalias
#pragma hone temporary(tmp)
__global__ void laterOn(const float* a, float* tmp, float* o, int n) {
  ID;
  if (x < n) tmp[x] = x;
  hone_grid_sync();
  if (x < n) o[x] = a[x];
}
