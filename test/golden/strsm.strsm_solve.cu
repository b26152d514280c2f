// recipe: block(x=32)
// strsm_solve, optimized by hone for h200.
// recipe: block(x=32)
namespace strsm_solve_hone {
constexpr int kBlockX = 32;  // threads of a block along x

__global__ __launch_bounds__(kBlockX) void kernel(const float* l, const float* b, float* x, int n, int sides,
                                                  int first, int last) {
  int j = blockIdx.x * kBlockX + threadIdx.x;
  if (j < sides) {
    for (int i = first; i < last; ++i) {
      float sum = b[i * sides + j];
      for (int k = first; k < i; ++k) {
        sum -= l[i * n + k] * x[k * sides + j];
      }
      x[i * sides + j] = sum / l[i * n + i];
    }
  }
}
}  // namespace strsm_solve_hone

// Stands for a launch of strsm_solve: same grid, block and arguments.
static inline void strsm_solve_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                      const float* l, const float* b, float* x, int n, int sides, int first,
                                      int last) {
  using namespace strsm_solve_hone;
  const long long threads_x = (long long)grid.x * block.x;
  // Where one of these does not hold, the original runs.
  const bool covered = sides <= threads_x && grid.y == 1 && block.y == 1 && grid.z == 1 && block.z == 1;
  const bool in_range = threads_x <= 2146435072;
  if (covered && in_range) {
    const dim3 blocks((grid.x * block.x + kBlockX - 1) / kBlockX), threads(kBlockX);
    strsm_solve_hone::kernel<<<blocks, threads, 0, stream>>>(l, b, x, n, sides, first, last);
  } else {
    strsm_solve<<<grid, block, shared, stream>>>(l, b, x, n, sides, first, last);
  }
}

    strsm_solve_launch((sides + 63) / 64, 64, 0, 0, dl, db, dx, n, sides, first, last);
