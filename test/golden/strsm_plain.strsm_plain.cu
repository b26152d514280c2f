// recipe: stage(depth=32)
constexpr int kBlockX = 64;   // threads of a block along x
constexpr int kDepth = 32;    // steps of a loop for one tile in shared memory
constexpr int kThreads = 64;  // threads of a block

__global__ void strsm_plain(const float* l, const float* b, float* x, int n, int sides) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < sides) {
    for (int i = 0; i < n; ++i) {
      float sum = b[i * sides + j];
      for (int k = 0; k < i; ++k) {
        sum -= l[i * n + k] * x[k * sides + j];
      }
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}

__global__ void __launch_bounds__(64)
    strsm_plain_hone(const float* l, const float* b, float* x, int n, int sides) {
  __shared__ float l_tile[1][kDepth];
  __shared__ float l_tile2[kDepth][kDepth];
  const int tx = threadIdx.x;
  int j = blockIdx.x * kBlockX + threadIdx.x;
  // Staged in shared memory, kDepth steps of i at a time: 32 x 32 elements of l, each read 2 times by the
  // block.
  for (int i0 = 0; i0 < n; i0 += kDepth) {
    for (int e = tx; e < 1024; e += kThreads) {
      const int row = e / 32;
      const int col2 = e % 32;
      const int l_row = i0 + row;
      const int l_col2 = i0 + col2;
      l_tile2[row][col2] = l_col2 == l_row && sides >= 1 && l_row < n ? l[l_row * n + l_col2] : 0.0f;
    }
    __syncthreads();
    for (int i = i0; i < i0 + kDepth && i < n; ++i) {
      float sum;
      if (j < sides) {
        sum = b[i * sides + j];
      }
      // Staged in shared memory, kDepth steps of k at a time: 1 x 32 elements of l, each read 64 times by the
      // block.
      for (int k0 = 0; k0 < i; k0 += kDepth) {
        if (tx < 32) {
          const int col = tx % 32;
          const int l_col = k0 + col;
          l_tile[0][col] = sides >= 1 && l_col < i ? l[i * n + l_col] : 0.0f;
        }
        __syncthreads();
        if (j < sides) {
          for (int k = k0; k < k0 + kDepth && k < i; ++k) {
            sum -= l_tile[0][k - k0] * x[k * sides + j];
          }
        }
        __syncthreads();
      }
      if (j < sides) {
        x[i * sides + j] = sum / l_tile2[i - i0][i - i0];
      }
    }
    __syncthreads();
  }
}

// Stands for a launch of strsm_plain: same grid, block and arguments.
static inline void strsm_plain_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                      const float* l, const float* b, float* x, int n, int sides) {
  // Where this does not hold, the original runs.
  const bool holds = block.x == 64 && block.y == 1 && block.z == 1 && (long long)grid.x <= 33554432 &&
                     (l + (long long)n * n <= x || x + (long long)n * sides <= l) &&
                     (long long)n <= 2147483616;
  if (holds) {
    const dim3 threads(64);
    strsm_plain_hone<<<grid, threads, 0, stream>>>(l, b, x, n, sides);
  } else {
    strsm_plain<<<grid, block, shared, stream>>>(l, b, x, n, sides);
  }
}
