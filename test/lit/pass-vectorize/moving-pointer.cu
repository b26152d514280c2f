// A pointer that moves inside the loop is elsewhere in each iteration: what is loaded before the loop must not be read where it was.
// RUN: not %hone verify %s --kernel moves --exact --recipe 'unroll(by=4) vectorize(width=2)' --set k=16 | FileCheck --check-prefix=PAIRS %s
// PAIRS: kernel `moves`: not run: the recipe leaves it alone: a thread touches neighbouring elements of q only in different iterations of L1.1, which cannot be done together as they are
// RUN: %hone verify %s --kernel moves --exact --recipe 'unroll(by=4) vectorize' --set k=16 | FileCheck %s
// CHECK: kernel `moves`: equal in
#pragma hone grid(2) block(32)
__global__ void moves(const float* __restrict__ q, float* __restrict__ c, int k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const float* p = q + x * k;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    sum += *p;
    ++p;
  }
  c[x] = sum;
}

// What is stored goes out behind the loop, where the pointer is somewhere else.
// RUN: %hone verify %s --kernel stores --exact --recipe vectorize | FileCheck --check-prefix=STORES %s
// STORES: kernel `stores`: equal in
#pragma hone grid(2) block(32)
__global__ void stores(const float* __restrict__ r, float* __restrict__ c) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  float* to = c + x * 2;
  for (int i = 0; i < 2; ++i) {
    *to = r[2 * x + i] * 1.5f;
    ++to;
  }
}
