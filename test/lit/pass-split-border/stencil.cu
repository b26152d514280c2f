// Tests of neighbours that fail at the border only: asked once, then a form without them.
// RUN: %hone opt %s --kernel peaks --recipe split-border -o %t.cu 2> %t.said
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck --check-prefix=SAID %s < %t.said
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --kernel peaks --recipe 'block(x=32, y=8) merge-threads(y=4, how=adjacent) unroll(by=full) split-border' -o %t.merged.cu
// RUN: FileCheck --check-prefix=MERGED %s < %t.merged.cu
// RUN: %hone verify %s --kernel peaks --recipe split-border --set w=37 --set h=21 --grid 3,3 --block 16,8 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel peaks --recipe 'block(x=32, y=8) merge-threads(x=2, y=4, how=adjacent) unroll(by=full) split-border vectorize' --set w=37 --set h=21 --grid 3,3 --block 16,8 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel peaks --recipe split-border --set w=2 --set h=1 --grid 3,3 --block 16,8 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel wrapped --recipe split-border --set w=37 --set h=21 --grid 3,3 --block 16,8 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel backwards --recipe split-border --set n=100 --grid 4 --block 32 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel moving --recipe split-border --set n=100 --grid 4 --block 32 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel staged --recipe 'block(x=32) stage split-border' --set n=100 --grid 4 --block 32 --exact | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel unsignedEnds --recipe split-border --set n=100 --grid 4 --block 32 --exact | FileCheck --check-prefix=EQUAL %s
// EQUAL: equal
// SAID: split off the border: 4 questions before instead of 38 tests inside, where all of them hold

// CHECK: if (x + 1 < w && y + 1 < h && x >= 1 && y >= 1) {
// CHECK-NEXT: // Away from the border: nothing is left to be tested.
// CHECK-NEXT: float own = image[y * w + x];
// CHECK: if (image[(y + dy) * w + x + dx] > own) {
// CHECK: } else if (x < w && y < h) {
// CHECK: if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h && image[(y + dy) * w + x + dx] > own) {

// MERGED: if (x + 1 < w && (int)(blockIdx.y * kTileY + threadIdx.y * kPerY + 3u) + 1 < h && x >= 1 &&
// MERGED-NEXT: (int)(blockIdx.y * kTileY + threadIdx.y * kPerY) >= 1) {
// MERGED: for (int dy = -1; dy <= 1; ++dy) {
// MERGED-NEXT: #pragma unroll
// MERGED-NEXT: for (int dx = -1; dx <= 1; ++dx) {
// MERGED: if (image[(y + dy) * w + x + dx] > own[ry]) {
__global__ void peaks(const float* image, int* found, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float own = image[y * w + x];
  int most = 1;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (x + dx >= 0 && x + dx < w && y + dy >= 0 && y + dy < h && image[(y + dy) * w + x + dx] > own) most = 0;
  found[y * w + x] = most;
}

// Where an || says that a thread is at the border; equality with one row or column counts as beyond it.
__global__ void wrapped(const float* image, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float sum = 0;
    for (int dx = -2; dx <= 2; ++dx) {
      if (x + dx < 0 || x + dx >= w || y == 0 || y == h - 1)
        sum += 1.0f;
      else
        sum += image[(y - 1) * w + x + dx] + image[(y + 1) * w + x + dx];
      sum += y + 1 != h ? image[(y + 1) * w + x] : 0.0f;
    }
    sums[y * w + x] = sum;
  }
}

// The worst iteration is the first or the last, as the sign says.
__global__ void backwards(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 8; k > 0; k -= 3)
      if (i - 2 * k >= 0 && i + k < n && n - i > 2 * k) sum += a[i - 2 * k] * a[i + k];
    b[i] = sum;
  }
}

// Tests of what changes stay, and those that fail in some iterations for every thread.
__global__ void moving(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  int at = i;
  for (int k = 0; k < 4; ++k) {
    if (at < n) sum += a[at];
    if (k < 2 && i + k < n) sum += a[i + k];
    at += 3;
  }
  b[i] = sum;
}

// Between barriers each part by itself.
__global__ void staged(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = -3; k <= 3; ++k)
      if (i + k >= 0 && i + k < n) sum += a[i + k];
    b[i] = sum;
  }
}

// Without a sign one comparison does for both ends; what wraps stays tested.
__global__ void unsignedEnds(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned before = i - 2;
  if (i < n) {
    float sum = 0;
    int count = 0;
    for (int k = -2; k <= 2; ++k) {
      if ((unsigned)(i + k) < (unsigned)n) ++count;
      if (before + (unsigned)(k + 2) < (unsigned)n) ++count;
      if (i + 2 < n) sum += a[i + 2];
    }
    b[i] = sum * count;
  }
}
