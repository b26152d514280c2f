// recipe: block(x=32, y=8) stage(depth=16) merge-threads(x=4)
constexpr int kBlockX = 32;    // threads of a block along x
constexpr int kBlockY = 8;     // threads of a block along y
constexpr int kThreads = 256;  // threads of a block
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int FILTER = 32;

__global__ void conv(const float* image, const float* filter, float* result, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int pitch = w + FILTER - 1;
  if (x < w && y < h) {
    float sum = 0;
    for (int i = 0; i < FILTER; ++i) {
      for (int j = 0; j < FILTER; ++j) {
        sum += image[(y + i) * pitch + x + j] * filter[i * FILTER + j];
      }
    }
    result[y * w + x] = sum;
  }
}

__global__ void __launch_bounds__(256)
    conv_hone(const float* image, const float* filter, float* result, int w, int h) {
  __shared__ float image_tile[kPerX][39][63];
  __shared__ float filter_tile[32][32];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * 32 + tx;
  int y = blockIdx.y * kBlockY + threadIdx.y;
  int pitch = w + FILTER - 1;
  // Staged in shared memory: 39 x 63 elements of image, each read 106 times by the block,
  // and 32 x 32 elements of filter, each read 256 times by the block.
  for (int e = tid; e < 2457; e += kThreads) {
    const int row = e / 63;
    const int col = e % 63;
    const int image_row = (int)blockIdx.y * 8 + row;
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      const int image_col = (int)(blockIdx.x * kPerX + rx) * 32 + col;
      image_tile[rx][row][col] = h >= 1 && w >= 1 && image_row <= h + 30 && image_col <= w + 30
                                     ? image[image_row * (w + 31) + image_col]
                                     : 0.0f;
    }
  }
#pragma unroll
  for (int row2 = 0; row2 < 32; row2 += 8) {
    filter_tile[row2 + ty][tx] = h >= 1 && w >= 1 ? filter[(row2 + ty) * 32 + tx] : 0.0f;
  }
  __syncthreads();
  if ((int)(blockIdx.x * kPerX * kBlockX + threadIdx.x) < w && y < h) {
    float sum[kPerX] = {};
    for (int i = 0; i < FILTER; ++i) {
      for (int j = 0; j < FILTER; ++j) {
        // filter_tile is the same for kPerX of the merged threads: loaded once.
        float filter_reg = filter_tile[i][j];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
          if (x < w && y < h) {
            sum[rx] += image_tile[rx][i + ty][j + tx] * filter_reg;
          }
        }
      }
    }
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
      if (x < w && y < h) {
        result[y * w + x] = sum[rx];
      }
    }
  }
}

// Stands for a launch of conv: same grid, block and arguments.
static inline void conv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* image,
                               const float* filter, float* result, int w, int h) {
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where this does not hold, the original runs.
  const bool holds = w <= threads_x && threads_x <= 2146435072 && h <= threads_y && threads_y <= 524280 &&
                     grid.z == 1 && block.z == 1 &&
                     (image + ((long long)w * h + (long long)w * 31 + (long long)h * 31 + 961) <= result ||
                      result + (long long)w * h <= image) &&
                     (filter + (long long)1024 <= result || result + (long long)w * h <= filter);
  if (holds) {
    const dim3 blocks((grid.x * block.x + 127) / 128, (grid.y * block.y + 7) / 8), threads(32, 8);
    conv_hone<<<blocks, threads, 0, stream>>>(image, filter, result, w, h);
  } else {
    conv<<<grid, block, shared, stream>>>(image, filter, result, w, h);
  }
}
