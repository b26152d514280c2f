// recipe: block(x=128, y=128) merge-threads(x=8, y=8, how=groups) stage(depth=16, wide=4) prefetch(to=both) vectorize vectorize(b)
// strsm_update, optimized by hone for h200.
// recipe: block(x=128, y=128) merge-threads(x=8, y=8, how=groups) stage(depth=16, wide=4) prefetch(to=both)
//   vectorize vectorize(b)
// Each thread does the work of 8x8 threads of its block, which share what they load of l, x.
// A block loads what it reads of x, l into shared memory, each element once.
// The next tile of l_tile and x_tile is on its way while a block computes, in registers, and then in a second
//   buffer.
// Wide accesses: 4 elements of x loaded in one access, 4 elements of l loaded in one access, 4 elements of
//   x_tile loaded in one access, 4 elements of l_tile loaded in one access, 4 elements of x_tile stored in
//   one access.
// Wide accesses: 4 elements of b loaded in one access, 4 elements of b stored in one access.
#ifndef HONE_OFF
namespace strsm_update_hone {
constexpr int kTileX = 128;    // threads of the original in a block, along x
constexpr int kTileY = 128;    // threads of the original in a block, along y
constexpr int kPerX = 8;       // threads of the original in one thread, along x
constexpr int kRun = 4;        // neighbours among the threads in one
constexpr int kSkipX = 60;     // from the end of such neighbours to the next, along x
constexpr int kPerY = 8;       // threads of the original in one thread, along y
constexpr int kSkipY = 60;     // from the end of such neighbours to the next, along y
constexpr int kDepth = 16;     // steps of a loop for one tile in shared memory
constexpr int kBlockX = 16;    // threads of a block along x
constexpr int kThreads = 256;  // threads of a block

__global__ __launch_bounds__(kThreads, 2) void kernel(const float* l, const float* x, float* b, int n,
                                                      int sides, int first, int last, int aligned,
                                                      int aligned2) {
  __shared__ __align__(16) float x_tile[2][kDepth][128];
  __shared__ __align__(16) float l_tile[2][kDepth][132];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of k at a time: 16 x 128 elements of x, each read 16 times by the
  // block, and 128 x 16 elements of l, each read 16 times by the block; rows are 4 longer to keep clear of
  // bank conflicts. Each of the tiles l_tile and x_tile has 2 buffers: the next is loaded into registers
  // while the block computes with this one.
  float next_x_tile[2][4] = {};
  float next_l_tile[2][4] = {};
#pragma unroll
  for (int slot = 0; slot < 2; ++slot) {
    int e = tid + slot * 256;
    const int row = e / 32;
    const int col = e % 32 * 4;
    const int x_row = first + row;
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      const int x_col = (int)blockIdx.x * 128 + (col + v);
      x_tile[0][row][col + v] = x_row < last && x_col < sides ? x[x_row * sides + x_col] : 0.0f;
    }
  }
#pragma unroll
  for (int slot = 0; slot < 2; ++slot) {
    int e = tid + slot * 256;
    const int row = e / 4;
    const int col = e % 4 * 4;
    const int l_row = (int)blockIdx.y * 128 + last + row;
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      const int l_col = first + (col + v);
      l_tile[0][col + v][row] = l_row < n && l_col < last ? l[l_row * n + l_col] : 0.0f;
    }
  }
  __syncthreads();
  int buffer = 0;
  const bool whole = aligned && (int)blockIdx.x * 128 + 127 < sides && last + blockIdx.y * 128ll + 127ll < n;
  for (int k0 = first; k0 < last; k0 += kDepth) {
    if (k0 + kDepth < last) {
      if (whole && k0 + 31 < last) {
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int e = tid + slot * 256;
          const int row = e / 32;
          const int col = e % 32 * 4;
          const int x_row = k0 + kDepth + row;
          // Several elements in one access: loads of x.
          const float4 x_four = *(const float4*)(x + (x_row * sides + ((int)blockIdx.x * 128 + col)));
          const float x_part[4] = {x_four.x, x_four.y, x_four.z, x_four.w};
#pragma unroll
          for (int v = 0; v < 4; ++v) {
            next_x_tile[slot][v] = x_part[v];
          }
        }
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int e = tid + slot * 256;
          const int row = e / 4;
          const int col = e % 4 * 4;
          const int l_row = (int)blockIdx.y * 128 + last + row;
          // Several elements in one access: loads of l.
          const float4 l_four = *(const float4*)(l + (l_row * n + (k0 + kDepth + col)));
          const float l_part[4] = {l_four.x, l_four.y, l_four.z, l_four.w};
#pragma unroll
          for (int v = 0; v < 4; ++v) {
            next_l_tile[slot][v] = l_part[v];
          }
        }
      } else {
        // At the edge, and where arrays are not aligned, one element at a time.
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int e = tid + slot * 256;
          const int row = e / 32;
          const int col = e % 32 * 4;
          const int x_row = k0 + kDepth + row;
#pragma unroll
          for (int v = 0; v < 4; ++v) {
            const int x_col = (int)blockIdx.x * 128 + (col + v);
            next_x_tile[slot][v] = x_row < last && x_col < sides ? x[x_row * sides + x_col] : 0.0f;
          }
        }
#pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int e = tid + slot * 256;
          const int row = e / 4;
          const int col = e % 4 * 4;
          const int l_row = (int)blockIdx.y * 128 + last + row;
#pragma unroll
          for (int v = 0; v < 4; ++v) {
            const int l_col = k0 + kDepth + (col + v);
            next_l_tile[slot][v] = l_row < n && l_col < last ? l[l_row * n + l_col] : 0.0f;
          }
        }
      }
    }
#pragma unroll
    for (int k = k0; k < k0 + kDepth; ++k) {
      // x is the same for kPerY of the merged threads: loaded once.
      // Several elements in one access: loads of x_tile.
      const float4 x_tile_four = *(const float4*)&x_tile[buffer][k - k0][tx * 4];
      const float4 x_tile_four2 = *(const float4*)&x_tile[buffer][k - k0][64 + tx * 4];
      float x_reg[kPerX] = {x_tile_four.x,  x_tile_four.y,  x_tile_four.z,  x_tile_four.w,
                            x_tile_four2.x, x_tile_four2.y, x_tile_four2.z, x_tile_four2.w};
      // l is the same for kPerX of the merged threads: loaded once.
      // Several elements in one access: loads of l_tile.
      const float4 l_tile_four = *(const float4*)&l_tile[buffer][k - k0][ty * 4];
      const float4 l_tile_four2 = *(const float4*)&l_tile[buffer][k - k0][64 + ty * 4];
      const float l_tile_part[8] = {l_tile_four.x,  l_tile_four.y,  l_tile_four.z,  l_tile_four.w,
                                    l_tile_four2.x, l_tile_four2.y, l_tile_four2.z, l_tile_four2.w};
#pragma unroll
      for (int ry = 0; ry < kPerY; ++ry) {
        float l_reg = l_tile_part[ry];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          sum[ry][rx] += l_reg * x_reg[rx];
        }
      }
    }
    if (k0 + kDepth < last) {
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        int e = tid + slot * 256;
        const int row = e / 32;
        const int col = e % 32 * 4;
        // Several elements in one access: stores of x_tile.
        *(float4*)&x_tile[1 - buffer][row][col] = make_float4(next_x_tile[slot][0], next_x_tile[slot][1],
                                                              next_x_tile[slot][2], next_x_tile[slot][3]);
      }
#pragma unroll
      for (int slot = 0; slot < 2; ++slot) {
        int e = tid + slot * 256;
        const int row = e / 4;
        const int col = e % 4 * 4;
#pragma unroll
        for (int v = 0; v < 4; ++v) {
          l_tile[1 - buffer][col + v][row] = next_l_tile[slot][v];
        }
      }
    }
    __syncthreads();
    buffer = 1 - buffer;
  }
  if ((int)(blockIdx.y * kTileY + threadIdx.y * kRun + last) < n &&
      (int)(blockIdx.x * kTileX + threadIdx.x * kRun) < sides) {
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int i = blockIdx.y * kTileY + threadIdx.y * kRun + ry + ry / kRun * kSkipY + last;
      if (aligned2 && i < n && (int)(blockIdx.x * kTileX + threadIdx.x * kRun + 67u) < sides) {
        // Several elements in one access: stores of b.
        const int first2 = i * sides + (int)(blockIdx.x * kTileX + threadIdx.x * kRun);
        const int first3 = i * sides + (int)(blockIdx.x * kTileX + threadIdx.x * kRun + 64u);
        const float4 b_four = *(const float4*)(b + first2);
        const float4 b_four2 = *(const float4*)(b + first3);
        float b_part[8] = {b_four.x,  b_four.y,  b_four.z,  b_four.w,
                           b_four2.x, b_four2.y, b_four2.z, b_four2.w};
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          b_part[rx] -= sum[ry][rx];
        }
        *(float4*)(b + first2) = make_float4(b_part[0], b_part[1], b_part[2], b_part[3]);
        *(float4*)(b + first3) = make_float4(b_part[4], b_part[5], b_part[6], b_part[7]);
      } else {
        // At the edge, and where arrays are not aligned, one element at a time.
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          int j = blockIdx.x * kTileX + threadIdx.x * kRun + rx + rx / kRun * kSkipX;
          if (i < n && j < sides) {
            b[i * sides + j] -= sum[ry][rx];
          }
        }
      }
    }
  }
}
}  // namespace strsm_update_hone
#endif

// Stands for a launch of strsm_update: same grid, block and arguments.
static inline void strsm_update_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                       const float* l, const float* x, float* b, int n, int sides, int first,
                                       int last) {
#ifndef HONE_OFF
  using namespace strsm_update_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool covered = sides <= threads_x && (long long)n - last <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = (b + (long long)n * sides <= x + (long long)sides * first ||
                      x + (long long)sides * last <= b + (long long)sides * last) &&
                     (b + (long long)n * sides <= l + ((long long)n * last + first) ||
                      l + ((long long)n * n + last - n) <= b + (long long)sides * last);
  const bool in_range = threads_x <= 2146435072 && last + (threads_y + 127) / 128 * 128 <= 2147483648ll &&
                        threads_y <= 8388480 && n >= 0 && last <= 2147483632 && first >= -1073741824 &&
                        first <= 1073741824 && last >= -1073741824 && last <= 1073741824 && last < n &&
                        sides >= 1;
  if (enabled && covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kTileY / kPerY);
    const bool aligned = (size_t)x % 16 == 0 && sides % 4 == 0 && (size_t)first * (size_t)sides % 4 == 0 &&
                         (size_t)l % 16 == 0 && first % 4 == 0 && (size_t)last * (size_t)n % 4 == 0 &&
                         n % 4 == 0;
    const bool aligned2 = (size_t)b % 16 == 0 && (size_t)last * (size_t)sides % 4 == 0 && sides % 4 == 0;
    strsm_update_hone::kernel<<<blocks, threads, 0, stream>>>(l, x, b, n, sides, first, last, aligned,
                                                              aligned2);
    return;
  }
#endif
  strsm_update<<<grid, block, shared, stream>>>(l, x, b, n, sides, first, last);
}

    strsm_update_launch(grid, block, 0, 0, dl, dx, db, n, sides, first, last);
