// Several blocks in one: all of these leave what the original leaves, at sizes and grids that do not divide.
// RUN: %hone verify %s --recipe 'merge-blocks(x=2)' | FileCheck --check-prefix=RUNS %s
// RUN: %hone verify %s --recipe 'merge-blocks(x=3, y=2)'
// RUN: %hone verify %s --recipe 'merge-blocks(y=4)'
// RUN: %hone verify %s --recipe 'merge-blocks(x=2) merge-threads(y=2)'
// RUN: %hone verify %s --recipe 'merge-threads(y=2) merge-blocks(x=4)'
// RUN: %hone verify %s --recipe 'merge-blocks(x=4) merge-threads(x=2, how=strided)'
// RUN: %hone verify %S/../pass-merge-threads/kernels.cu --recipe 'merge-blocks(x=2)'
// RUN: %hone verify %S/../pass-merge-threads/kernels.cu --recipe 'merge-blocks(x=2, y=2)'
// RUN: %hone opt %s --recipe 'merge-blocks(x=2)' 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %hone opt %s --recipe 'merge-blocks(y=2)' --kernel product 2>&1 | FileCheck --check-prefix=OTHER %s

// Tiles in a line of threads, as coalescing wants them: along x blocks share the rows of a, along y the columns of b.
// RUNS: kernel `product`: equal in
// REMARK: kernel `product`: merged 2 blocks into one; rows is filled once for them
// OTHER: kernel `product`: merged 1x2 blocks into one; columns is filled once for them
#pragma hone set(w=45) grid(3, 45) block(16)
__global__ void product(const float* a, const float* b, float* c, int w) {
  __shared__ float rows[16], columns[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int i = 0; i < w; i += 16) {
    rows[threadIdx.x] = i + threadIdx.x < w ? a[y * w + i + threadIdx.x] : 0;
    for (int k = 0; k < 16; ++k) columns[k][threadIdx.x] = i + k < w && x < w ? b[(i + k) * w + x] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += rows[k] * columns[k][threadIdx.x];
    __syncthreads();
  }
  if (x < w) c[y * w + x] = sum;
}

// Private tiles beside one that is shared: the weights are filled once, the rows are replicated.
// REMARK: kernel `norms`: merged 2 blocks into one; weights is filled once for them
#pragma hone set(n=100, k=37) grid(7) block(16)
__global__ void norms(const float* m, const float* w, float* r, int n, int k) {
  __shared__ float weights[16];
  __shared__ float rows[16][17];
  int first = blockIdx.x * 16;
  float s = 0;
  for (int i = 0; i < k; i += 16) {
    if (i + threadIdx.x < k) weights[threadIdx.x] = w[i + threadIdx.x];
    for (int l = 0; l < 16; ++l)
      if (first + l < n && i + threadIdx.x < k) rows[l][threadIdx.x] = m[(first + l) * k + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 16 && i + j < k; ++j)
      if (first + threadIdx.x < n) s += fabsf(rows[threadIdx.x][j]) * weights[j];
    __syncthreads();
  }
  if (first + threadIdx.x < n) r[first + threadIdx.x] = s;
}

// The same for all blocks, but read before the barrier by the thread that wrote it: one part could not fill it for the others.
// REMARK: kernel `own`: merged 2 blocks into one; t is filled once for them
#pragma hone set(n=300) grid(7) block(64)
__global__ void own(const float* in, float* out, int n) {
  __shared__ float s[64], t[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = in[threadIdx.x];
  float v = s[threadIdx.x] * 2;
  t[threadIdx.x] = in[63 - threadIdx.x];
  __syncthreads();
  if (i < n) out[i] = v + t[(threadIdx.x + 1) % 64];
}

// What only one block does.
#pragma hone grid(5, 3) block(32) length(out=40)
__global__ void marks(int* out, const int* in) {
  if (blockIdx.x == 3 && blockIdx.y == 1) out[threadIdx.x] = in[threadIdx.x];
  if (blockIdx.y == 1 && threadIdx.x == 0) out[32 + blockIdx.x] = blockIdx.x;
}

// A barrier under a condition of the block.
#pragma hone set(used=3) grid(5) block(32) length(a=160)
__global__ void someBlocks(int* a, int used) {
  __shared__ int s[32];
  if (blockIdx.x < used) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = a[i];
    __syncthreads();
    a[i] = s[31 - threadIdx.x];
  }
}
