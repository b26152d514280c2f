// recipe: block(x=32, y=8) stage(depth=16) merge-threads(x=4, y=8)
// strsm_update, optimized by hone for h200.
// recipe: block(x=32, y=8) stage(depth=16) merge-threads(x=4, y=8)
// A block loads what it reads of l, x into shared memory, each element once.
// Each thread does the work of 4x8 threads of neighbouring blocks, which share what they load of l_tile,
//   x_tile.
namespace strsm_update_hone {
constexpr int kBlockX = 32;    // threads of a block along x
constexpr int kBlockY = 8;     // threads of a block along y
constexpr int kDepth = 16;     // steps of a loop for one tile in shared memory
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int kPerY = 8;       // threads of the original in one thread, along y
constexpr int kTileX = 128;    // threads of the original in a block, along x
constexpr int kTileY = 64;     // threads of the original in a block, along y
constexpr int kThreads = 256;  // threads of a block

__global__ __launch_bounds__(kThreads) void kernel(const float* l, const float* x, float* b, int n, int sides,
                                                   int first, int last) {
  __shared__ float l_tile[kPerY][kBlockY][kDepth];
  __shared__ float x_tile[kPerX][kDepth][kBlockX];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of k at a time: 8 x 16 elements of l, each read 32 times by the
  // block, and 16 x 32 elements of x, each read 8 times by the block.
  for (int k0 = first; k0 < last; k0 += kDepth) {
    if (tid < kBlockY * kDepth) {
      const int row = tid / kDepth;
      const int col = tid % kDepth;
      const int l_col = k0 + col;
#pragma unroll
      for (int ry = 0; ry < kPerY; ++ry) {
        const int l_row = (int)(blockIdx.y * kPerY + ry) * kBlockY + last + row;
        l_tile[ry][row][col] = l_row < n && l_col < last ? l[l_row * n + l_col] : 0.0f;
      }
    }
#pragma unroll
    for (int row2 = 0; row2 < kDepth; row2 += kBlockY) {
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        int j = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
        x_tile[rx][row2 + ty][tx] =
            k0 + row2 + ty < last && j < sides ? x[(k0 + row2 + ty) * sides + j] : 0.0f;
      }
    }
    __syncthreads();
    for (int k = k0; k < k0 + kDepth && k < last; ++k) {
      // x_tile is the same for kPerY of the merged threads: loaded once.
      float x_reg[kPerX];
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        x_reg[rx] = x_tile[rx][k - k0][tx];
      }
      // l_tile is the same for kPerX of the merged threads: loaded once.
#pragma unroll
      for (int ry = 0; ry < kPerY; ++ry) {
        float l_reg = l_tile[ry][ty][k - k0];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          sum[ry][rx] += l_reg * x_reg[rx];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    int i = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y + last;
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int j = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
      if (i < n && j < sides) {
        b[i * sides + j] -= sum[ry][rx];
      }
    }
  }
}
}  // namespace strsm_update_hone

// Stands for a launch of strsm_update: same grid, block and arguments.
static inline void strsm_update_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                       const float* l, const float* x, float* b, int n, int sides, int first,
                                       int last) {
  using namespace strsm_update_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where one of these does not hold, the original runs.
  const bool covered = sides <= threads_x && (long long)n - last <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = (b + (long long)n * sides <= l + ((long long)n * last + first) ||
                      l + ((long long)n * n + last - n) <= b + (long long)sides * last) &&
                     (b + (long long)n * sides <= x + (long long)sides * first ||
                      x + (long long)sides * last <= b + (long long)sides * last);
  const bool in_range = threads_x <= 2146435072 && threads_y <= 524280 && n >= 0 &&
                        last + (long long)((grid.y * block.y + 7) / 8) * 8 <= 2147483648ll &&
                        last <= 2147483632 && sides >= 1 && last < n;
  if (covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kBlockY);
    strsm_update_hone::kernel<<<blocks, threads, 0, stream>>>(l, x, b, n, sides, first, last);
  } else {
    strsm_update<<<grid, block, shared, stream>>>(l, x, b, n, sides, first, last);
  }
}

    strsm_update_launch(grid, block, 0, 0, dl, dx, db, n, sides, first, last);
