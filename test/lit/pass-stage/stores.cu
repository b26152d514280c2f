// Stores that lie far apart are collected in a tile and written in the order of the array.
// RUN: %hone verify %s --kernel transpose --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=TRANSPOSE %s
// RUN: %hone verify %s --kernel transpose --recipe 'block(x=32, y=8) stage(o, pad=0)' | FileCheck --check-prefix=TRANSPOSE %s
// RUN: %hone verify %s --kernel records --recipe 'block(x=64) stage(o)' | FileCheck --check-prefix=RECORDS %s
// RUN: %hone verify %s --kernel both --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=BOTH %s
// RUN: %hone verify %s --kernel turned --recipe 'block(x=16, y=8) stage' | FileCheck --check-prefix=TURNED %s
// RUN: %hone verify %s --kernel overlapping --recipe 'block(x=16, y=16) stage(o)' | FileCheck --check-prefix=OVERLAPPING %s
// RUN: %hone verify %s --kernel overlapping --alias o=a+5 --set w=20 --set h=20 --exact --recipe 'block(x=16, y=16) stage(o)' | FileCheck --check-prefix=ALIAS %s
// RUN: not %hone verify %s --kernel plain --recipe 'block(x=16, y=16) stage(o)' | FileCheck --check-prefix=PLAIN %s
// RUN: not %hone verify %s --kernel looped --recipe 'block(x=64) stage(o)' | FileCheck --check-prefix=LOOPED %s
// RUN: not %hone verify %s --kernel twice --recipe 'block(x=64) stage(o)' | FileCheck --check-prefix=TWICE %s
// RUN: not %hone verify %s --kernel same --recipe 'block(x=64) stage(o)' | FileCheck --check-prefix=SAME %s

// TRANSPOSE: kernel `transpose`: equal in {{[0-9]+}} runs
// TRANSPOSE-NOT: the original ran
__global__ void transpose(const float* __restrict__ a, float* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[x * h + y] = a[y * w + x];
}

struct Record {
  double key;
  int tag;
};
// RECORDS: kernel `records`: equal in {{[0-9]+}} runs
// RECORDS-NOT: the original ran
__global__ void records(const Record* __restrict__ a, Record* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n) return;
  Record r = a[x];
  r.tag += 1;
  o[3 * x + 1] = r;
}

// A store and loads; what follows the store runs after the barrier.
// BOTH: kernel `both`: equal in {{[0-9]+}} runs
// BOTH-NOT: the original ran
__global__ void both(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ o,
                     float* __restrict__ p, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float s = 0;
    for (int i = 0; i < w; ++i) s += a[y * w + i] * b[i * w + x];
    o[x * w + y] = s;
    p[y * w + x] = s + 1;
  }
}

// Columns from the last to the first.
// TURNED: kernel `turned`: equal in {{[0-9]+}} runs
// TURNED-NOT: the original ran
__global__ void turned(const short* __restrict__ a, short* __restrict__ o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[(w - 1 - x) * h + y] = a[y * w + x];
}

// OVERLAPPING: kernel `overlapping`: equal in {{[0-9]+}} runs
// OVERLAPPING-NOT: the original ran
// ALIAS: the original ran
__global__ void overlapping(const float* a, float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[x * h + y] = a[y * w + x];
}

// PLAIN: the recipe leaves it alone: `o` is not staged: its stores are coalesced already
__global__ void plain(float* o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[y * w + x] = 1;
}

// LOOPED: the recipe leaves it alone: `o` is not staged: it is written in a loop
__global__ void looped(float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int i = 0; i < n; ++i) o[x * n + i] = i;
}

// TWICE: the recipe leaves it alone: `o` is not staged: it is accessed in more than one place
__global__ void twice(float* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    o[2 * x] = 1;
    o[2 * x + 1] = 2;
  }
}

// SAME: the recipe leaves it alone: `o` is not staged: threads of a block may write one element of o twice
__global__ void same(int* o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) o[x / 2 * 3] = 7;
}
