// recipe: block(x=32, y=8) stage(depth=16) merge-threads(y=4)
// conv, optimized by hone for h200.
// recipe: block(x=32, y=8) stage(depth=16) merge-threads(y=4)
// A block loads what it reads of image, filter into shared memory, each element once.
// Each thread does the work of 1x4 threads of neighbouring blocks, which share what they load of filter_tile.
namespace conv_hone {
static_assert(FILTER == 32, "made by hone for these values: run it again for others");
constexpr int kBlockX = 32;     // threads of a block along x
constexpr int kBlockY = 8;      // threads of a block along y
constexpr int kImageCols = 63;  // columns of a tile of image, 31 of them beyond the block
constexpr int kImageRows = 39;  // rows of a tile of image, 31 of them beyond the block
constexpr int kThreads = 256;   // threads of a block
constexpr int kPerY = 4;        // threads of the original in one thread, along y
constexpr int kTileY = 32;      // threads of the original in a block, along y

__global__ __launch_bounds__(kThreads) void kernel(const float* image, const float* filter, float* result,
                                                   int w, int h) {
  __shared__ float image_tile[kPerY][kImageRows][kImageCols];
  __shared__ float filter_tile[32][32];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  int x = blockIdx.x * kBlockX + threadIdx.x;
  // Staged in shared memory: 39 x 63 elements of image, each read 106 times by the block,
  // and 32 x 32 elements of filter, each read 256 times by the block.
  for (int e = tid; e < kImageRows * kImageCols; e += kThreads) {
    const int row = e / kImageCols;
    const int col = e % kImageCols;
    const int image_col = (int)blockIdx.x * kBlockX + col;
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      const int image_row = (int)(blockIdx.y * kPerY + ry) * kBlockY + row;
      image_tile[ry][row][col] =
          image_row <= h + 30 && image_col <= w + 30 ? image[image_row * (w + 31) + image_col] : 0.0f;
    }
  }
#pragma unroll
  for (int row2 = 0; row2 < 32; row2 += kBlockY) {
    filter_tile[row2 + ty][tx] = filter[(row2 + ty) * 32 + tx];
  }
  __syncthreads();
  if (x < w && (int)(blockIdx.y * kPerY * kBlockY + threadIdx.y) < h) {
    float sum[kPerY] = {};
    for (int i = 0; i < FILTER; ++i) {
      for (int j = 0; j < FILTER; ++j) {
        // filter_tile is the same for kPerY of the merged threads: loaded once.
        float filter_reg = filter_tile[i][j];
#pragma unroll
        for (int ry = 0; ry < kPerY; ++ry) {
          int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
          if (y < h) {
            sum[ry] += image_tile[ry][i + ty][j + tx] * filter_reg;
          }
        }
      }
    }
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
      if (y < h) {
        result[y * w + x] = sum[ry];
      }
    }
  }
}
}  // namespace conv_hone

// Stands for a launch of conv: same grid, block and arguments.
static inline void conv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* image,
                               const float* filter, float* result, int w, int h) {
  using namespace conv_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where one of these does not hold, the original runs.
  const bool covered = w <= threads_x && h <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = (image + ((long long)w * h + (long long)w * 31 + (long long)h * 31 + 961) <= result ||
                      result + (long long)w * h <= image) &&
                     (filter + 1024 <= result || result + (long long)w * h <= filter);
  const bool in_range = threads_x <= 2146435072 && threads_y <= 524280 && h >= 1 && w >= 1;
  if (covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kBlockX - 1) / kBlockX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kBlockY);
    conv_hone::kernel<<<blocks, threads, 0, stream>>>(image, filter, result, w, h);
  } else {
    conv<<<grid, block, shared, stream>>>(image, filter, result, w, h);
  }
}

  conv_launch(grid, block, 0, 0, dimage, dfilter, dresult, w, h);
