// recipe: block(x=128, y=16) merge-threads(x=4, y=4, how=adjacent) stage(depth=32) unroll(by=full) split-border vectorize
// conv, optimized by hone for h200.
// recipe: block(x=128, y=16) merge-threads(x=4, y=4, how=adjacent) stage(depth=32) unroll(by=full)
//   split-border vectorize
#if FILTER == 32 && !defined(HONE_OFF)
namespace conv_hone {
constexpr int kTileX = 128;      // threads of the original in a block, along x
constexpr int kTileY = 16;       // threads of the original in a block, along y
constexpr int kPerX = 4;         // threads of the original in one thread, along x
constexpr int kPerY = 4;         // threads of the original in one thread, along y
constexpr int kBlockY = 4;       // threads of a block along y
constexpr int kDepth = 32;       // steps of a loop for one tile in shared memory
constexpr int kImageCols = 159;  // columns of a tile of image
constexpr int kImageRows = 47;   // rows of a tile of image
constexpr int kBlockX = 32;      // threads of a block along x
constexpr int kThreads = 128;    // threads of a block

// Each thread does the work of 4x4 threads of its block, which share what they load of filter.
// A block loads what it reads of filter, image into shared memory, each element once.
// Loops are unrolled (fully).
// Threads away from the border run a form of the code without its tests.
// Wide accesses: 4 elements of result stored in one access.
__global__ __launch_bounds__(kThreads) void kernel_1(const float* image, const float* filter, float* result,
                                                     int w, int h) {
  __shared__ __align__(16) float filter_tile[32][32];
  __shared__ __align__(16) float image_tile[kImageRows][kImageCols + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  // Staged in shared memory: 32 x 32 elements of filter, each read 128 times by the block.
#pragma unroll
  for (int row = 0; row < 32; row += kBlockY) {
    filter_tile[row + ty][tx] = filter[(row + ty) * 32 + tx];
  }
  __syncthreads();
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of i at a time: 47 x 159 elements of image, each read 140 times by
  // the block; rows are 1 longer so that each begins where a wide access may.
  for (int i0 = 0; i0 < FILTER; i0 += kDepth) {
    for (int e = tid; e < kImageRows * kImageCols; e += kThreads) {
      const int row = e / kImageCols;
      const int col = e % kImageCols;
      const int image_row = (int)blockIdx.y * 16 + row + i0;
      const int image_col = (int)blockIdx.x * 128 + col;
      image_tile[row][col] =
          image_row <= (int)gridDim.y * 16 + 30 && image_row - 30 <= h && image_col - 30 <= w
              ? image[image_row * (w + 31) + image_col]
              : 0.0f;
    }
    __syncthreads();
    if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w &&
        (int)(blockIdx.y * kTileY + threadIdx.y * kPerY + 3u) < h) {
      // Away from the border: nothing is left to be tested.
      for (int i = i0; i < i0 + kDepth; ++i) {
#pragma unroll
        for (int j = 0; j < FILTER; ++j) {
          // filter is the same for kPerY x kPerX of the merged threads: loaded once.
          float filter_reg = filter_tile[i][j];
#pragma unroll
          for (int ry = 0; ry < kPerY; ++ry) {
#pragma unroll
            for (int rx = 0; rx < kPerX; ++rx) {
              sum[ry][rx] += image_tile[i + ry + ty * 4 - i0][j + rx + tx * 4] * filter_reg;
            }
          }
        }
      }
    } else {
      // At the border.
      for (int i = i0; i < i0 + kDepth; ++i) {
#pragma unroll
        for (int j = 0; j < FILTER; ++j) {
          // filter is the same for kPerY x kPerX of the merged threads: loaded once.
          float filter_reg = filter_tile[i][j];
#pragma unroll
          for (int ry = 0; ry < kPerY; ++ry) {
            int y = blockIdx.y * kTileY + threadIdx.y * kPerY + ry;
#pragma unroll
            for (int rx = 0; rx < kPerX; ++rx) {
              int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
              if (x < w && y < h) {
                sum[ry][rx] += image_tile[i + ry + ty * 4 - i0][j + rx + tx * 4] * filter_reg;
              }
            }
          }
        }
      }
    }
    __syncthreads();
  }
  if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w &&
      (int)(blockIdx.y * kTileY + threadIdx.y * kPerY + 3u) < h) {
    // Away from the border: nothing is left to be tested.
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = blockIdx.y * kTileY + threadIdx.y * kPerY + ry;
      // Several elements in one access: stores of result.
      *(float4*)(result + (y * w + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX))) =
          make_float4(sum[ry][0], sum[ry][1], sum[ry][2], sum[ry][3]);
    }
  } else if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX) < w &&
             (int)(blockIdx.y * kTileY + threadIdx.y * kPerY) < h) {
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = blockIdx.y * kTileY + threadIdx.y * kPerY + ry;
      if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w && y < h) {
        // Several elements in one access: stores of result.
        *(float4*)(result + (y * w + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX))) =
            make_float4(sum[ry][0], sum[ry][1], sum[ry][2], sum[ry][3]);
      } else {
        // At the edge one element at a time.
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
          if (x < w && y < h) {
            result[y * w + x] = sum[ry][rx];
          }
        }
      }
    }
  }
}

// Each thread does the work of 4x4 threads of its block, which share what they load of filter.
// A block loads what it reads of filter, image into shared memory, each element once.
// Loops are unrolled (fully).
// Threads away from the border run a form of the code without its tests.
__global__ __launch_bounds__(kThreads) void kernel_2(const float* image, const float* filter, float* result,
                                                     int w, int h) {
  __shared__ __align__(16) float filter_tile[32][32];
  __shared__ __align__(16) float image_tile[kImageRows][kImageCols + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * kBlockX + tx;
  // Staged in shared memory: 32 x 32 elements of filter, each read 128 times by the block.
#pragma unroll
  for (int row = 0; row < 32; row += kBlockY) {
    filter_tile[row + ty][tx] = filter[(row + ty) * 32 + tx];
  }
  __syncthreads();
  float sum[kPerY][kPerX] = {};
  // Staged in shared memory, kDepth steps of i at a time: 47 x 159 elements of image, each read 140 times by
  // the block; rows are 1 longer so that each begins where a wide access may.
  for (int i0 = 0; i0 < FILTER; i0 += kDepth) {
    for (int e = tid; e < kImageRows * kImageCols; e += kThreads) {
      const int row = e / kImageCols;
      const int col = e % kImageCols;
      const int image_row = (int)blockIdx.y * 16 + row + i0;
      const int image_col = (int)blockIdx.x * 128 + col;
      image_tile[row][col] =
          image_row <= (int)gridDim.y * 16 + 30 && image_row - 30 <= h && image_col - 30 <= w
              ? image[image_row * (w + 31) + image_col]
              : 0.0f;
    }
    __syncthreads();
    if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w &&
        (int)(blockIdx.y * kTileY + threadIdx.y * kPerY + 3u) < h) {
      // Away from the border: nothing is left to be tested.
      for (int i = i0; i < i0 + kDepth; ++i) {
#pragma unroll
        for (int j = 0; j < FILTER; ++j) {
          // filter is the same for kPerY x kPerX of the merged threads: loaded once.
          float filter_reg = filter_tile[i][j];
#pragma unroll
          for (int ry = 0; ry < kPerY; ++ry) {
#pragma unroll
            for (int rx = 0; rx < kPerX; ++rx) {
              sum[ry][rx] += image_tile[i + ry + ty * 4 - i0][j + rx + tx * 4] * filter_reg;
            }
          }
        }
      }
    } else {
      // At the border.
      for (int i = i0; i < i0 + kDepth; ++i) {
#pragma unroll
        for (int j = 0; j < FILTER; ++j) {
          // filter is the same for kPerY x kPerX of the merged threads: loaded once.
          float filter_reg = filter_tile[i][j];
#pragma unroll
          for (int ry = 0; ry < kPerY; ++ry) {
            int y = blockIdx.y * kTileY + threadIdx.y * kPerY + ry;
#pragma unroll
            for (int rx = 0; rx < kPerX; ++rx) {
              int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
              if (x < w && y < h) {
                sum[ry][rx] += image_tile[i + ry + ty * 4 - i0][j + rx + tx * 4] * filter_reg;
              }
            }
          }
        }
      }
    }
    __syncthreads();
  }
  if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w &&
      (int)(blockIdx.y * kTileY + threadIdx.y * kPerY + 3u) < h) {
    // Away from the border: nothing is left to be tested.
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = blockIdx.y * kTileY + threadIdx.y * kPerY + ry;
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
        result[y * w + x] = sum[ry][rx];
      }
    }
  } else if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX) < w &&
             (int)(blockIdx.y * kTileY + threadIdx.y * kPerY) < h) {
#pragma unroll
    for (int ry = 0; ry < kPerY; ++ry) {
      int y = blockIdx.y * kTileY + threadIdx.y * kPerY + ry;
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
        if (x < w && y < h) {
          result[y * w + x] = sum[ry][rx];
        }
      }
    }
  }
}
}  // namespace conv_hone
#endif

// Stands for a launch of conv: same grid, block and arguments.
static inline void conv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* image,
                               const float* filter, float* result, int w, int h) {
#if FILTER == 32 && !defined(HONE_OFF)
  using namespace conv_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool covered = w <= threads_x && h <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = (filter + 1024 <= result || result + (long long)w * h <= filter) &&
                     (image + ((long long)w * h + (long long)w * 31 + (long long)h * 31 + 961) <= result ||
                      result + (long long)w * h <= image);
  const bool in_range = threads_x <= 2146435072 && threads_y <= 1048560 && h >= 1 && w >= 1;
  if (enabled && covered && apart && in_range) {
    const bool aligned = (size_t)result % 16 == 0 && w % 4 == 0;
    if (aligned) {
      const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
          threads(kBlockX, kBlockY);
      conv_hone::kernel_1<<<blocks, threads, 0, stream>>>(image, filter, result, w, h);
    } else {
      const dim3 blocks_2((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
          threads_2(kBlockX, kBlockY);
      conv_hone::kernel_2<<<blocks_2, threads_2, 0, stream>>>(image, filter, result, w, h);
    }
    return;
  }
#endif
  conv<<<grid, block, shared, stream>>>(image, filter, result, w, h);
}

  conv_launch(grid, block, 0, 0, dimage, dfilter, dresult, w, h);
