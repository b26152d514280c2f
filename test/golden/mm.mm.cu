// recipe: block(x=32, y=8) stage(depth=32) merge-threads(x=4, y=4)
// mm, optimized by hone for h200.
// recipe: block(x=32, y=8) stage(depth=32) merge-threads(x=4, y=4)
// A block loads what it reads of a, b into shared memory, each element once.
// Each thread does the work of 4x4 threads of neighbouring blocks, which share what they load of a_tile,
//   b_tile.
namespace mm_hone {
constexpr int kBlockX = 32;    // threads of a block along x
constexpr int kBlockY = 8;     // threads of a block along y
constexpr int kDepth = 32;     // steps of a loop for one tile in shared memory
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int kPerY = 4;       // threads of the original in one thread, along y
constexpr int kTileX = 128;    // threads of the original in a block, along x
constexpr int kTileY = 32;     // threads of the original in a block, along y
constexpr int kThreads = 256;  // threads of a block

__global__ __launch_bounds__(kThreads) void kernel(const float* a, const float* b, float* c, int m, int n,
                                                   int k) {
  __shared__ float a_tile[kPerY][kBlockY][kDepth];
  __shared__ float b_tile[kPerX][kDepth][kBlockX];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of i at a time: 8 x 32 elements of a, each read 32 times by the
  // block, and 32 x 32 elements of b, each read 8 times by the block.
  for (int i0 = 0; i0 < k; i0 += kDepth) {
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
      a_tile[ry][ty][tx] = y < m && i0 + tx < k ? a[y * k + i0 + tx] : 0.0f;
    }
#pragma unroll
    for (int row = 0; row < kDepth; row += kBlockY) {
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
        b_tile[rx][row + ty][tx] = i0 + row + ty < k && x < n ? b[(i0 + row + ty) * n + x] : 0.0f;
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
}  // namespace mm_hone

// Stands for a launch of mm: same grid, block and arguments.
static inline void mm_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             const float* b, float* c, int m, int n, int k) {
  using namespace mm_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where one of these does not hold, the original runs.
  const bool covered = n <= threads_x && m <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = (a + (long long)m * k <= c || c + (long long)m * n <= a) &&
                     (b + (long long)n * k <= c || c + (long long)n * m <= b);
  const bool in_range = threads_x <= 2146435072 && threads_y <= 524280 && k <= 2147483616 && n >= 1 && m >= 1;
  if (covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kBlockY);
    mm_hone::kernel<<<blocks, threads, 0, stream>>>(a, b, c, m, n, k);
  } else {
    mm<<<grid, block, shared, stream>>>(a, b, c, m, n, k);
  }
}

  mm_launch(grid, block, 0, 0, da, db, dc, m, n, k);
