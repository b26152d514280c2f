// Where threads are merged, a tile that each of the merged blocks fills for itself gets a copy for each. The published example fills `shared0` and reads
// `shared0_0` for the first of them. Here every use of the tile, of all copies, must be of one array with the number of the copy.
// RUN: %hone opt %s --recipe 'block(x=16, y=1) stage(a) merge-threads(y=2)' --kernel product --no-verify -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=BARE %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'block(x=16, y=1) stage(a) merge-threads(y=2)' --kernel product | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --recipe 'merge-threads(y=4)' --kernel tiled | FileCheck --check-prefix=EQUAL %s
// RUN: %hone opt %s --recipe 'merge-threads(y=4)' --kernel tiled --no-verify -o %t2.cu
// RUN: FileCheck --check-prefix=TILED %s < %t2.cu
// RUN: %clang_cuda_ptx %t2.cu
// EQUAL-NOT: the original ran
// EQUAL: equal in
// CHECK: __shared__ float a_tile[kPerY][
// CHECK: a_tile[ry][0][tx] =
// CHECK: sum[ry] += a_tile[ry][
// No use without the copy's number, and no name for one copy alone.
// BARE: namespace product_hone
// BARE-NOT: a_tile{{_[0-9]|[0-9]}}
// BARE-NOT: a_tile[{{t|i|k[^P]|0}}
#pragma hone set(w=45, k=37)
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* c, int w, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= w) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * w + x];
  c[y * w + x] = sum;
}

// Filled, changed and read at several places.
// TILED: __shared__ float s[kPerY][32];
// TILED: s[ry][threadIdx.x] =
// TILED: s[ry][threadIdx.x] +=
// TILED: s[ry][threadIdx.x] + s[ry][31 - threadIdx.x]
#pragma hone set(w=70, h=9) grid(3, 9) block(32)
__global__ void tiled(const float* a, float* c, int w, int h) {
  __shared__ float s[32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y;
  s[threadIdx.x] = x < w ? a[y * w + x] : 0;
  __syncthreads();
  float next = s[(threadIdx.x + 1) % 32];
  __syncthreads();
  s[threadIdx.x] += next;
  __syncthreads();
  if (x < w) c[y * w + x] = s[threadIdx.x] + s[31 - threadIdx.x];
}
