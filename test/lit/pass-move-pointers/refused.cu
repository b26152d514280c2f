// RUN: %hone opt %s --recipe move-pointers --kernel narrow -o %t.cu 2>&1 | FileCheck --check-prefix=NARROW %s
// RUN: %hone opt %s --recipe 'move-pointers(b)' --kernel narrow -o %t.cu 2>&1 | FileCheck --check-prefix=ARRAY %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel jumps -o %t.cu 2>&1 | FileCheck --check-prefix=JUMPS %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel searches -o %t.cu 2>&1 | FileCheck --check-prefix=SEARCHES %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel triangle -o %t.cu 2>&1 | FileCheck --check-prefix=TRIANGLE %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel loaded -o %t.cu 2>&1 | FileCheck --check-prefix=LOADED %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel divides -o %t.cu 2>&1 | FileCheck --check-prefix=DIVIDES %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel header -o %t.cu 2>&1 | FileCheck --check-prefix=HEADER %s
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel wraps -o %t.cu 2>&1 | FileCheck --check-prefix=WRAPS %s
// RUN: not %hone opt %s --recipe 'move-pointers(how=steps)' --kernel narrow -o %t.cu 2>&1 | FileCheck --check-prefix=HOW %s

// One element at a time: compilers see to that.
// NARROW: left alone: no loop has wide accesses whose addresses are known
// ARRAY: left alone: there is no array b
// HOW: pointers
__global__ void narrow(const float* a, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h; ++y) sum += a[y * w + x];
  sums[x] = sum;
}

// An iteration that ends early would leave the pointer behind.
// JUMPS: left alone: a#1: iterations of the loop end early with continue
__global__ void jumps(const float* a, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h; ++y) {
    if (y % 3 == x % 3) continue;
    sum += a[y * w + x];
  }
  sums[x] = sum;
}

// SEARCHES: left alone: a#1: the loop around it does not count
__global__ void searches(const float* a, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 1; y < h; y *= 2) sum += a[y * w + x];
  sums[x] = sum;
}

// TRIANGLE: left alone: a#1: the address does not advance by the same distance in every iteration
__global__ void triangle(const float* a, float* sums, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h; ++y) sum += a[y * y + x];
  sums[x] = sum;
}

// Where a row begins stands in memory.
// LOADED: left alone: no loop has accesses of what is named whose addresses are known
__global__ void loaded(const float* a, const int* begin, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h; ++y) sum += a[begin[x] + y * w];
  sums[x] = sum;
}

// Where the loop has no iteration w may be 0.
// DIVIDES: left alone: a#1: where it begins, or how it moves, cannot be written before the loop
__global__ void divides(const float* a, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h; ++y) sum += a[x / w + y * 32];
  sums[x] = sum;
}

// What the header touches is no part of an iteration.
// HEADER: left alone: no loop has accesses of what is named whose addresses are known
__global__ void header(const float* a, float* sums, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h; ++y, sum += a[y * 32 + x]) sums[x] = sum;
}

// The first threads wrap round, for all that is known before the launch.
// WRAPS: left alone: 32-bit unsigned arithmetic must not wrap, which cannot be made sure of before the launch
__global__ void wraps(const float* a, float* sums, unsigned h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned y = 0; y < h; ++y) sum += a[x - 5 + y * 32];
  sums[x] = sum;
}
