// Facts of a block shape, in words: cost of accesses, what a block touches, remarks; the same as JSON and SARIF.
// RUN: %hone explain %s --block 32x8 | FileCheck %s
// CHECK: facts for blocks of 32 x 8 (as given) on h200
// CHECK-NEXT: out#1   strided         1..32 sectors  stride height
// CHECK-NEXT: in#1    depends         4..5 sectors   alignment depends on width
// CHECK-NEXT: out[?][height]: a block writes 32 x 8
// CHECK-NEXT: in[?][width]: a block reads 8 x 32
// CHECK: line [[@LINE+13]]: `out#1` is not coalesced (stride height): 1..32 sectors a warp where 1..4 would do
// CHECK: relies on
// RUN: %hone explain %s --block 32x8 --json - --sarif %t.sarif | FileCheck --check-prefix=JSON %s
// JSON: "verdict": "strided",
// RUN: FileCheck --check-prefix=SARIF %s < %t.sarif
// SARIF: "ruleId": "uncoalesced"
// SARIF: "startLine": [[@LINE+7]]
// RUN: %hone explain %s --no-facts | FileCheck --check-prefix=NONE %s
// NONE-NOT: facts for
// RUN: %hone explain %s --block 32x8 --color always | FileCheck --check-prefix=COLOUR %s
// COLOUR: {{.}}[33m    out#1
__global__ void transpose(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

// Two accesses of one bank's column, and a shared tile whose accesses are guarded by the thread alone.
// RUN: %hone explain %s --kernel column --block 32 | FileCheck --check-prefix=BANKS %s
// BANKS: tile#1  32-way conflict  32 passes
// BANKS: `tile` has 32-way bank conflicts; 1 element more in the innermost extent (128 bytes) would remove them
__global__ void column(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = 1.0f;
  if (threadIdx.x < 16) out[threadIdx.x] = tile[threadIdx.x][0];
}
// RUN: %hone explain %s --kernel column --block 32 | FileCheck --check-prefix=GUARD %s
// GUARD: tile[32][32]: a block reads 16 x 1, a block writes 32 x 1
// RUN: not %hone explain %s --block 0 2>&1 | FileCheck --check-prefix=BAD %s
// BAD: --block
// RUN: not %hone explain %s --target nosuch 2>&1 | FileCheck --check-prefix=TARGET %s
// TARGET: nosuch

// A kernel that is left alone has no facts, though it could be run.
// RUN: %hone explain %s --kernel leftAlone | FileCheck --check-prefix=ALONE %s
// ALONE: left alone: #if inside the kernel body hangs on __CUDA_ARCH__
// ALONE-NOT: facts for
__global__ void leftAlone(int* out) {
#if __CUDA_ARCH__ >= 800
  out[threadIdx.x] = 1;
#endif
}

// Who reads the same, and what is read and written in every iteration.
// RUN: %hone explain %s --kernel product --block 16x16 | FileCheck --check-prefix=SHARE %s
// SHARE: a[?][w]: a block reads 16 x w; blocks along x read the same
// SHARE: b[?][w]: a block reads w x 16; blocks along y read the same
// SHARE: c[?][w]: a block reads 16 x 16, a block writes 16 x 16; every iteration of L1 reads the same
// SHARE: bytes of shared memory a block
// SHARE: on a multiprocessor (100 % of its warps), limited by threads
// SHARE: `a#1` does not depend on threadIdx.x: 16 threads of a block load the same element
// SHARE: every iteration of L1 reads and writes the same element `c#{{[0-9]}}`: a register would do; in the way: it could
// SHARE-NEXT: overlap `a`, `b`
__global__ void product(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < w)
    for (int i = 0; i < w; ++i) c[y * w + x] += a[y * w + i] * b[i * w + x];
}

// A barrier that is needed, one that is not, one that is missing.
// RUN: %hone explain %s --kernel neighbours --block 64 | FileCheck --check-prefix=BARRIER %s
// BARRIER-NOT: line [[@LINE+7]]: in blocks
// BARRIER: line [[@LINE+8]]: in blocks of this shape the barrier keeps no two accesses of different threads apart
// BARRIER-NOT: line [[@LINE+8]]: in blocks
// BARRIER: line [[@LINE+9]]: no barrier between
__global__ void neighbours(float* out) {
  __shared__ float s[65];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  float right = s[threadIdx.x + 1];
  __syncthreads();
  __syncthreads();
  s[threadIdx.x] = right;
  out[threadIdx.x] = s[threadIdx.x + 1];
}
