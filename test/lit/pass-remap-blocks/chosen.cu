// RUN: %hone opt %s --recipe remap-blocks --kernel product --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=L2 %s
// RUN: %hone opt %s --recipe remap-blocks --kernel fixed --target gtx280 --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=CAMPS %s
// RUN: %hone opt %s --recipe remap-blocks --kernel fixed --target gtx8800 --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=FREE %s
// RUN: %hone opt %s --recipe remap-blocks --kernel fixed --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=HASHED %s
// RUN: %hone opt %s --recipe remap-blocks --kernel transposed --target gtx280 --block 16x16 -o %t.cu 2>&1 | FileCheck --check-prefix=DEPENDS %s

// L2: chosen.cu:[[@LINE+1]]: kernel `product`: blocks run in groups of 8 rows, column by column: blocks share a along x and b along y
__global__ void product(const float* a, const float* b, float* c, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[y * n + i] * b[i * n + x];
  c[y * n + x] = sum;
}

// Rows of 4096 floats: 16 of them are a multiple of eight partitions, not of six.
// CAMPS: kernel `fixed`: blocks run along diagonals: b#1: blocks lie 262144 bytes apart, a multiple of 8 partitions of 256 bytes
// FREE: kernel `fixed`: left alone: no access camps on a memory partition
// HASHED: kernel `fixed`: left alone: blocks do not share what they read along both axes: another order gains nothing
__global__ void fixed(const float* a, float* b) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  b[x * 4096 + y] = a[y * 4096 + x];
}

// DEPENDS: kernel `transposed`: blocks run along diagonals: b#1: blocks lie 64*h bytes apart: camps where that is a multiple of 8 partitions of 256 bytes
__global__ void transposed(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
