// recipe: block(x=128, y=64) merge-threads(x=4, y=8, how=groups) stage(depth=16) unroll(by=4) remap-blocks(how=rows, group=8)
// strsm_update, optimized by hone for h200.
// recipe: block(x=128, y=64) merge-threads(x=4, y=8, how=groups) stage(depth=16) unroll(by=4)
//   remap-blocks(how=rows, group=8)
// Each thread does the work of 4x8 threads of its block, which share what they load of l, x.
// A block loads what it reads of x, l into shared memory, each element once.
// Loops are unrolled (4 rounds at a time).
// Blocks run in groups of 8 columns, row by row.
namespace strsm_update_hone {
constexpr int kTileX = 128;    // threads of the original in a block, along x
constexpr int kTileY = 64;     // threads of the original in a block, along y
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int kPerY = 8;       // threads of the original in one thread, along y
constexpr int kRun = 4;        // neighbours among the threads in one
constexpr int kSkipY = 28;     // from the end of such neighbours to the next, along y
constexpr int kDepth = 16;     // steps of a loop for one tile in shared memory
constexpr int kBlockX = 32;    // threads of a block along x
constexpr int kBlockY = 8;     // threads of a block along y
constexpr int kLRows = 64;     // rows of a tile of l
constexpr int kThreads = 256;  // threads of a block
constexpr int kUnroll = 4;     // rounds of a loop between two tests of its end
constexpr int kGroup = 8;      // columns of blocks that are walked together

__global__ __launch_bounds__(kThreads) void kernel(const float* l, const float* x, float* b, int n, int sides,
                                                   int first, int last) {
  // Blocks run in groups of 8 columns of the grid, row by row, so that what they share stays in the L2.
  const unsigned long long number = blockIdx.x + (unsigned long long)gridDim.x * blockIdx.y;
  const unsigned long long group_size = (unsigned long long)gridDim.y * kGroup;
  const unsigned int first_column = (unsigned int)(number / group_size) * kGroup;
  const unsigned int columns = kGroup < gridDim.x - first_column ? kGroup : gridDim.x - first_column;
  const unsigned long long place = number % group_size;
  const unsigned int block_x = first_column + (unsigned int)(place % columns);
  const unsigned int block_y = place / columns;
  __shared__ float x_tile[kDepth][128];
  __shared__ float l_tile[kDepth][kLRows + 4];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of k at a time: 16 x 128 elements of x, each read 8 times by the
  // block, and 64 x 16 elements of l, each read 32 times by the block; rows are 4 longer to keep clear of
  // bank conflicts.
  for (int k0 = first; k0 < last; k0 += kDepth) {
#pragma unroll
    for (int row = 0; row < kDepth; row += kBlockY) {
#pragma unroll
      for (int col = 0; col < 128; col += kBlockX) {
        x_tile[row + ty][col + tx] = k0 + row + ty < last && (int)block_x * 128 + col + tx < sides
                                         ? x[(k0 + row + ty) * sides + (int)block_x * 128 + col + tx]
                                         : 0.0f;
      }
    }
    // 4 rounds at a time; the second loop does the rest.
    int e_next = tid;
    for (; e_next < kLRows * kDepth && kLRows * kDepth - e_next > (kUnroll - 1) * kThreads;
         e_next += kUnroll * kThreads) {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        const int e = e_next + u * kThreads;
        const int row2 = e / kDepth;
        const int col2 = e % kDepth;
        const int l_row = (int)block_y * 64 + last + row2;
        const int l_col = k0 + col2;
        l_tile[col2][row2] = l_row < n && l_col < last ? l[l_row * n + l_col] : 0.0f;
      }
    }
#pragma unroll 1
    for (int e = e_next; e < kLRows * kDepth; e += kThreads) {
      const int row2 = e / kDepth;
      const int col2 = e % kDepth;
      const int l_row = (int)block_y * 64 + last + row2;
      const int l_col = k0 + col2;
      l_tile[col2][row2] = l_row < n && l_col < last ? l[l_row * n + l_col] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = k0; k < k0 + kDepth; ++k) {
      // x is the same for kPerY of the merged threads: loaded once.
      float x_reg[kPerX];
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        x_reg[rx] = x_tile[k - k0][rx + tx * 4];
      }
      // l is the same for kPerX of the merged threads: loaded once.
#pragma unroll
      for (int ry = 0; ry < kPerY; ++ry) {
        float l_reg = l_tile[k - k0][ry + ry / 4 * 28 + ty * 4];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          sum[ry][rx] += l_reg * x_reg[rx];
        }
      }
    }
    __syncthreads();
  }
  if ((int)(block_y * kTileY + threadIdx.y * kRun + last) < n &&
      (int)(block_x * kTileX + threadIdx.x * kPerX) < sides) {
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int i = block_y * kTileY + threadIdx.y * kRun + ry + ry / kRun * kSkipY + last;
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        int j = block_x * kTileX + threadIdx.x * kPerX + rx;
        if (i < n && j < sides) {
          b[i * sides + j] -= sum[ry][rx];
        }
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
  const bool apart = (b + (long long)n * sides <= x + (long long)sides * first ||
                      x + (long long)sides * last <= b + (long long)sides * last) &&
                     (b + (long long)n * sides <= l + ((long long)n * last + first) ||
                      l + ((long long)n * n + last - n) <= b + (long long)sides * last);
  const bool in_range = threads_x <= 2146435072 && threads_y <= 4194240 &&
                        last + (long long)((grid.y * block.y + 63) / 64) * 64 <= 2147483683ll &&
                        last + (long long)((grid.y * block.y + 63) / 64) * 64 <= 2147483648ll && n >= 0 &&
                        last <= 2147483632 && last < n && sides >= 1;
  if (covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kBlockY);
    strsm_update_hone::kernel<<<blocks, threads, 0, stream>>>(l, x, b, n, sides, first, last);
  } else {
    strsm_update<<<grid, block, shared, stream>>>(l, x, b, n, sides, first, last);
  }
}

    strsm_update_launch(grid, block, 0, 0, dl, dx, db, n, sides, first, last);
