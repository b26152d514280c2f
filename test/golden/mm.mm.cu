// recipe: block(x=32, y=8) stage(depth=32) merge-threads(x=4, y=4)
constexpr int kBlockX = 32;  // threads of a block along x
constexpr int kBlockY = 8;   // threads of a block along y
constexpr int kDepth = 32;   // steps of a loop for one tile in shared memory
constexpr int kPerX = 4;     // threads of the original in one thread, along x
constexpr int kPerY = 4;     // threads of the original in one thread, along y

__global__ void mm(const float* a, const float* b, float* c, int m, int n, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < m) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += a[y * k + i] * b[i * n + x];
    }
    c[y * n + x] = sum;
  }
}

__global__ void __launch_bounds__(256)
    mm_hone(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kPerY][8][kDepth];
  __shared__ float b_tile[kPerX][kDepth][32];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of i at a time: 8 x 32 elements of a, each read 32 times by the
  // block, and 32 x 32 elements of b, each read 8 times by the block.
  for (int i0 = 0; i0 < k; i0 += kDepth) {
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
      a_tile[ry][ty][tx] = n >= 1 && y < m && i0 + tx < k ? a[y * k + i0 + tx] : 0.0f;
    }
#pragma unroll
    for (int row = 0; row < 32; row += 8) {
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
        b_tile[rx][row + ty][tx] = m >= 1 && i0 + row + ty < k && x < n ? b[(i0 + row + ty) * n + x] : 0.0f;
      }
    }
    __syncthreads();
    for (int i = i0; i < i0 + kDepth && i < k; ++i) {
      // b_tile is the same for kPerY of the merged threads: loaded once.
      float b_reg[kPerX];
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        b_reg[rx] = b_tile[rx][i - i0][tx];
      }
      // a_tile is the same for kPerX of the merged threads: loaded once.
#pragma unroll
      for (int ry = 0; ry < kPerY; ++ry) {
        float a_reg = a_tile[ry][ty][i - i0];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          sum[ry][rx] += a_reg * b_reg[rx];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
      if (x < n && y < m) {
        c[y * n + x] = sum[ry][rx];
      }
    }
  }
}

// Stands for a launch of mm: same grid, block and arguments.
static inline void mm_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             const float* b, float* c, int m, int n, int k) {
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where this does not hold, the original runs.
  const bool holds = n <= threads_x && threads_x <= 2146435072 && m <= threads_y && threads_y <= 524280 &&
                     grid.z == 1 && block.z == 1 &&
                     (a + (long long)m * k <= c || c + (long long)m * n <= a) &&
                     (b + (long long)n * k <= c || c + (long long)n * m <= b) && (long long)k <= 2147483616;
  if (holds) {
    const dim3 blocks((grid.x * block.x + 127) / 128, (grid.y * block.y + 31) / 32), threads(32, 8);
    mm_hone<<<blocks, threads, 0, stream>>>(a, b, c, m, n, k);
  } else {
    mm<<<grid, block, shared, stream>>>(a, b, c, m, n, k);
  }
}
