// RUN: %hone opt %s --recipe move-pointers --kernel slots -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck --check-prefix=POINTERS %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'move-pointers(how=offsets)' --kernel slots -o %t.cu
// RUN: FileCheck --check-prefix=OFFSETS %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %s --recipe 'move-pointers(a)' --kernel column -o %t.cu
// RUN: FileCheck --check-prefix=COLUMN %s < %t.cu
// RUN: %hone opt %s --recipe move-pointers --kernel pair -o %t.cu
// RUN: FileCheck --check-prefix=PAIR %s < %t.cu
// RUN: %hone opt %s --recipe 'move-pointers(a, b)' --kernel down -o %t.cu
// RUN: FileCheck --check-prefix=DOWN %s < %t.cu
// RUN: %hone opt %s --recipe 'move-pointers(a, how=offsets)' --kernel wide_index -o %t.cu
// RUN: FileCheck --check-prefix=WIDE %s < %t.cu
// RUN: %hone opt %s --recipe 'move-pointers(a, how=offsets)' --kernel without_sign -o %t.cu
// RUN: FileCheck --check-prefix=UNSIGNED %s < %t.cu

// RUN: %hone verify %s --exact --recipe move-pointers --kernel slots --set n=64 --set k=50 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(how=offsets)' --kernel slots --set n=64 --set k=50 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(a)' --kernel column --set w=70 --set h=33 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(a, how=offsets)' --kernel column --set w=70 --set h=33 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe move-pointers --kernel pair --set w=64 --set h=33 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(a, b)' --kernel down --set n=40 --set first=3 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(a, b, how=offsets)' --kernel down --set n=40 --set first=3 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(a, how=offsets)' --kernel wide_index --set w=70 --set h=33 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --exact --recipe 'move-pointers(a, how=offsets)' --kernel without_sign --set w=70 --set h=33 | FileCheck --check-prefix=EQUAL %s
// EQUAL: equal in

// Tiles of a matrix product, at sizes that are and are not multiples of what is loaded at once, and in one tile only.
// RUN: %hone verify %examples/naive/mm.cu --exact --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8, wide=4) prefetch(to=both) vectorize move-pointers' --set m=64 --set n=64 --set k=40 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %examples/naive/mm.cu --exact --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8, wide=4) prefetch(to=both) vectorize move-pointers(how=offsets)' --set m=70 --set n=52 --set k=44 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %examples/naive/mm.cu --exact --recipe 'block(x=32, y=32) merge-threads(x=4, y=4, how=groups) stage(depth=8, wide=4) vectorize move-pointers' --set m=33 --set n=31 --set k=3 | FileCheck --check-prefix=EQUAL %s

// Iterations of an unrolled loop are a distance from the pointer that no thread changes. Sizes are multiplied in 64 bits: where k is small nothing is loaded, and
// the first address may lie anywhere.
// REMARK: kernel `slots`: the addresses of a move along with a loop
// POINTERS: // Pointers that move along with the iterations.
// POINTERS-NEXT: const float* a_from = a + ((long long)(kAhead + tid / 16) * n + tid % 16 * 4);
// POINTERS-NEXT: for (int i = 0; i < k; i += kAhead) {
// POINTERS: for (int slot = 0; slot < 2; ++slot) {
// POINTERS-NEXT: const float4 four = *(const float4*)(a_from + (long long)n * slot * 4);
// POINTERS: a_from += (long long)n * kAhead;
// Offsets without a sign may pass the end of their type behind the last iteration.
// OFFSETS: unsigned int a_from = (unsigned int)(kAhead + tid / 16) * n + tid % 16 * 4;
// OFFSETS: const float4 four = *(const float4*)(a + (int)(a_from + (unsigned int)n * slot * 4));
// OFFSETS: a_from += (unsigned int)n * kAhead;
constexpr int kAhead = 8;
#pragma hone grid(2) block(64)
__global__ void slots(const float* a, float* sums, int n, int k) {
  const int tid = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; i += kAhead) {
    if (i + 2 * kAhead <= k) {
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        int e = tid + slot * 64;
        int row = i + kAhead + e / 16;
        int col = e % 16 * 4;
        const float4 four = *(const float4*)(a + (row * n + col));
        sum += four.x + four.y * four.z - four.w;
      }
    }
  }
  sums[blockIdx.x * 64 + tid] = sum;
}

// What is accessed one by one moves where its array is named.
// COLUMN: const float* a_from = a + x;
// COLUMN: sum += *a_from;
// COLUMN-NEXT: a_from += w;
#pragma hone grid(3) block(32)
__global__ void column(const float* a, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
  for (int y = 0; y < h; ++y) sum += a[y * w + x];
  sums[x] = sum;
}

// Two accesses whose distance is the same for all threads have one pointer.
// PAIR: const float* a_from = a + x * 2;
// PAIR: *(const float2*)a_from
// PAIR: *(const float2*)(a_from + w)
// PAIR: a_from += (long long)w * 2;
#pragma hone grid(1) block(32)
__global__ void pair(const float* a, float* sums, int w, int h) {
  int x = threadIdx.x;
  float sum = 0;
  for (int y = 0; y < h - 1; y += 2) {
    const float2 upper = *(const float2*)(a + (y * w + x * 2));
    const float2 lower = *(const float2*)(a + ((y + 1) * w + x * 2));
    sum += upper.x * lower.y - upper.y * lower.x;
  }
  sums[x] = sum;
}

// Stores move as well, and loops that count down.
// DOWN: float* b_from = b + (((long long)n - 1) * 32 + x);
// DOWN: const float* a_from = a + (((long long)n - 1) * 32 + x);
// DOWN: *b_from = 2.0f * *a_from;
// DOWN: b_from -= 32;
// DOWN: a_from -= 32;
#pragma hone grid(1) block(32)
__global__ void down(const float* __restrict__ a, float* __restrict__ b, int n, int first) {
  int x = threadIdx.x;
  for (int y = n - 1; y >= first; --y) b[y * 32 + x] = 2.0f * a[y * 32 + x];
}

// Subscripts of 64 bits have offsets of 64 bits.
// WIDE: long long a_from = x;
// WIDE: sum += a[a_from];
// WIDE-NEXT: a_from += w;
#pragma hone grid(3) block(32)
__global__ void wide_index(const float* a, float* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
  for (int y = 0; y < h; ++y) sum += a[(long long)y * w + x];
  sums[x] = sum;
}

// UNSIGNED: sum += a[a_from];
#pragma hone grid(3) block(32)
__global__ void without_sign(const float* a, float* sums, unsigned w, unsigned h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
  for (unsigned y = 0; y < h; ++y) sum += a[y * w + x];
  sums[x] = sum;
}
