// recipe: stage(depth=32)
// strsm_plain, optimized by hone for h200.
// recipe: stage(depth=32)
// A block loads what it reads of l, l into shared memory, each element once.
namespace strsm_plain_hone {
constexpr int kBlockX = 64;   // threads of a block along x
constexpr int kDepth = 32;    // steps of a loop for one tile in shared memory
constexpr int kThreads = 64;  // threads of a block

__global__ __launch_bounds__(kBlockX) void kernel(const float* l, const float* b, float* x, int n,
                                                  int sides) {
  __shared__ float l_tile[1][kDepth];
  __shared__ float l_tile2[kDepth][kDepth];
  const int tx = threadIdx.x;
  int j = blockIdx.x * kBlockX + threadIdx.x;
  // Staged in shared memory, kDepth steps of i at a time: 32 x 32 elements of l, each read 2 times by the
  // block.
  for (int i0 = 0; i0 < n; i0 += kDepth) {
    for (int e = tx; e < kDepth * kDepth; e += kThreads) {
      const int row = e / kDepth;
      const int col2 = e % kDepth;
      const int l_row = i0 + row;
      const int l_col2 = i0 + col2;
      l_tile2[row][col2] = l_col2 == l_row && l_row < n ? l[l_row * n + l_col2] : 0.0f;
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
        if (tx < kDepth) {
          const int col = tx % kDepth;
          const int l_col = k0 + col;
          l_tile[0][col] = l_col < i ? l[i * n + l_col] : 0.0f;
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
}  // namespace strsm_plain_hone

// Stands for a launch of strsm_plain: same grid, block and arguments.
static inline void strsm_plain_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                      const float* l, const float* b, float* x, int n, int sides) {
  using namespace strsm_plain_hone;
  // Where one of these does not hold, the original runs.
  const bool covered = block.x == 64 && block.y == 1 && block.z == 1;
  const bool apart = l + (long long)n * n <= x || x + (long long)n * sides <= l;
  const bool in_range = (long long)grid.x <= 33554432 && n <= 2147483616 && sides >= 1;
  if (covered && apart && in_range) {
    const dim3 threads(kBlockX);
    strsm_plain_hone::kernel<<<grid, threads, 0, stream>>>(l, b, x, n, sides);
  } else {
    strsm_plain<<<grid, block, shared, stream>>>(l, b, x, n, sides);
  }
}

  strsm_plain_launch((sides + 63) / 64, 64, 0, 0, dl, db, dx, n, sides);
