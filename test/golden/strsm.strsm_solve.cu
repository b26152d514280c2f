// recipe: keep(rounds=32) block(x=128) stage(depth=16) unroll(by=8)
// strsm_solve, optimized by hone for h200.
// recipe: keep(rounds=32) block(x=128) stage(depth=16) unroll(by=8)
// What it stores to x and reads back is kept in registers; the loop has 32 rounds.
// What rounds read of b is loaded before them.
// A block loads what it reads of l into shared memory, each element once.
// Loops are unrolled (8 rounds at a time).
namespace strsm_solve_hone {
constexpr int kRounds = 32;    // rounds of the loop whose stores are kept
constexpr int kBlockX = 128;   // threads of a block along x
constexpr int kLCols = 32;     // columns of a tile of l
constexpr int kLRows = 32;     // rows of a tile of l
constexpr int kThreads = 128;  // threads of a block
constexpr int kUnroll = 8;     // rounds of a loop between two tests of its end

__global__ __launch_bounds__(kBlockX) void kernel(const float* __restrict__ l, const float* __restrict__ b,
                                                  float* __restrict__ x, int n, int sides, int first,
                                                  int last) {
  __shared__ float l_tile[kLRows][kLCols];
  const int tx = threadIdx.x;
  int j = blockIdx.x * kBlockX + threadIdx.x;
  // Staged in shared memory: 32 x 32 elements of l, each read 128 times by the block.
  // 8 rounds at a time; the second loop does the rest.
  int e_next = tx;
  for (; e_next < kLRows * kLCols && kLRows * kLCols - e_next > (kUnroll - 1) * kThreads;
       e_next += kUnroll * kThreads) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int e = e_next + u * kThreads;
      const int row = e / kLCols;
      const int col = e % kLCols;
      const int l_row = first + row;
      const int l_col = first + col;
      l_tile[row][col] = l_col <= l_row ? l[l_row * n + l_col] : 0.0f;
    }
  }
#pragma unroll 1
  for (int e = e_next; e < kLRows * kLCols; e += kThreads) {
    const int row = e / kLCols;
    const int col = e % kLCols;
    const int l_row = first + row;
    const int l_col = first + col;
    l_tile[row][col] = l_col <= l_row ? l[l_row * n + l_col] : 0.0f;
  }
  __syncthreads();
  if (j < sides) {
    // What rounds store to x is read back by later ones: kept in registers.
    float x_kept[kRounds];
    // What each round reads of b is loaded before the first.
    float b_ahead[kRounds];
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      int i = first + round;
      b_ahead[round] = b[i * sides + j];
    }
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      int i = first + round;
      float sum = b_ahead[round];
#pragma unroll
      for (int earlier = 0; earlier < round; ++earlier) {
        sum -= l_tile[round][earlier] * x_kept[earlier];
      }
      x_kept[round] = sum / l_tile[round][round];
      x[i * sides + j] = x_kept[round];
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
  const bool apart = (b + (long long)sides * last <= x + (long long)sides * first ||
                      x + (long long)sides * last <= b + (long long)sides * first) &&
                     (l + ((long long)n * last + last - n) <= x + (long long)sides * first ||
                      x + (long long)last * sides <= l + ((long long)n * first + first));
  const bool in_range = last == (long long)first + 32 && (threads_x + 63) / 64 <= 33554432 && n >= 0 &&
                        threads_x <= 2146435072 && sides >= 1;
  if (covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kBlockX - 1) / kBlockX), threads(kBlockX);
    strsm_solve_hone::kernel<<<blocks, threads, 0, stream>>>(l, b, x, n, sides, first, last);
  } else {
    strsm_solve<<<grid, block, shared, stream>>>(l, b, x, n, sides, first, last);
  }
}

    strsm_solve_launch((sides + 63) / 64, 64, 0, 0, dl, db, dx, n, sides, first, last);
