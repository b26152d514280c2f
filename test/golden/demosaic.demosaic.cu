// recipe: block(x=64, y=4) stage merge-threads(x=4, y=4)
// demosaic, optimized by hone for h200.
// recipe: block(x=64, y=4) stage merge-threads(x=4, y=4)
// A block loads what it reads of raw into shared memory, each element once.
// Each thread does the work of 4x4 threads of neighbouring blocks.
#ifndef HONE_OFF
namespace demosaic_hone {
constexpr int kBlockX = 64;    // threads of a block along x
constexpr int kBlockY = 4;     // threads of a block along y
constexpr int kRawCols = 66;   // columns of a tile of raw, 2 of them beyond the block
constexpr int kRawRows = 6;    // rows of a tile of raw, 2 of them beyond the block
constexpr int kThreads = 256;  // threads of a block
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int kPerY = 4;       // threads of the original in one thread, along y
constexpr int kTileX = 256;    // threads of the original in a block, along x
constexpr int kTileY = 16;     // threads of the original in a block, along y

__global__ __launch_bounds__(kThreads) void kernel(const float* raw, float* rgb, int w, int h) {
  __shared__ float raw_tile[kPerY][kPerX][kRawRows][kRawCols];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  // Staged in shared memory: 6 x 66 elements of raw, each read 5 times by the block.
  for (int e = tid; e < kRawRows * kRawCols; e += kThreads) {
    const int row = e / kRawCols;
    const int col = e % kRawCols;
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      const int raw_row = (int)(blockIdx.y * kPerY + ry) * kBlockY + row - 1;
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        const int raw_col = (int)(blockIdx.x * kPerX + rx) * kBlockX + col - 1;
        raw_tile[ry][rx][row][col] =
            raw_row >= 0 && raw_row < h && raw_col >= 0 && raw_col < w ? raw[raw_row * w + raw_col] : 0.0f;
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
      if (x < w && y < h) {
        float seen = raw_tile[ry][rx][ty + 1][tx + 1];
        float red = seen;
        float green = seen;
        float blue = seen;
        if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
          float sides = (raw_tile[ry][rx][ty + 1][tx] + raw_tile[ry][rx][ty + 1][tx + 2]) / 2;
          float above = (raw_tile[ry][rx][ty][tx + 1] + raw_tile[ry][rx][ty + 2][tx + 1]) / 2;
          float corners = (raw_tile[ry][rx][ty][tx] + raw_tile[ry][rx][ty][tx + 2]) / 4 +
                          (raw_tile[ry][rx][ty + 2][tx] + raw_tile[ry][rx][ty + 2][tx + 2]) / 4;
          if (y % 2 == 0) {
            if (x % 2 == 0) {
              green = (sides + above) / 2;
              blue = corners;
            } else {
              red = sides;
              blue = above;
            }
          } else if (x % 2 == 0) {
            red = above;
            blue = sides;
          } else {
            red = corners;
            green = (sides + above) / 2;
          }
        }
        rgb[3 * (y * w + x)] = red;
        rgb[3 * (y * w + x) + 1] = green;
        rgb[3 * (y * w + x) + 2] = blue;
      }
    }
  }
}
}  // namespace demosaic_hone
#endif

// Stands for a launch of demosaic: same grid, block and arguments.
static inline void demosaic_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                   const float* raw, float* rgb, int w, int h) {
#ifndef HONE_OFF
  using namespace demosaic_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool in_range = w >= -1073741824 && w <= 1073741824 && h >= -1073741824 && h <= 1073741824 &&
                        threads_x <= 2146435072 && threads_y <= 262140;
  const bool covered = w <= threads_x && h <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = in_range && (raw + (long long)w * h <= rgb || rgb + (long long)w * h * 3 <= raw);
  if (enabled && in_range && covered && apart) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kBlockY);
    demosaic_hone::kernel<<<blocks, threads, 0, stream>>>(raw, rgb, w, h);
    return;
  }
#endif
  demosaic<<<grid, block, shared, stream>>>(raw, rgb, w, h);
}

  demosaic_launch(grid, block, 0, 0, draw, drgb, w, h);
