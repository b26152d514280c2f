// recipe: grid-sync split-reduction(over=block, ways=128, rows=8)
// rd, optimized by hone for h200.
// recipe: grid-sync split-reduction(over=block, ways=128, rows=8)
namespace rd_hone {
constexpr int kThreads = 128;  // of a block, which share a loop
constexpr int kRows = 8;       // pieces of work of a block, each that of one thread before

// The rounds of the loop over i are shared by 128 threads, which put their parts together.
__global__ __launch_bounds__(1024) void rd_part1(const float* a, float* part, int n, unsigned int threads_x) {
  __shared__ float sum_parts[kThreads][kRows];
  const int lane = threadIdx.y;
  const bool inside = blockIdx.x * kRows + threadIdx.x < threads_x;
  int x = blockIdx.x * kRows + threadIdx.x;
  int threads = threads_x;
  float sum = 0;
  if (inside) {
    // The rounds are dealt out to 128 threads of a block, which then put their parts together.
    for (int i = x + lane * threads; i < n; i += kThreads * threads) {
      sum += a[i];
    }
    sum_parts[lane][threadIdx.x] = sum;
  }
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (inside && lane < half) {
      sum_parts[lane][threadIdx.x] += sum_parts[lane + half][threadIdx.x];
    }
    __syncthreads();
  }
  if (inside && lane == 0) {
    sum = sum_parts[0][threadIdx.x];
    part[x] = sum;
  }
}

__global__ void rd_part2(float* part, int s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < s) {
    part[x] += part[x + s];
  }
}

__global__ __launch_bounds__(1024) void rd_part3(float* part, float* total, unsigned int threads_x) {
  int threads = threads_x;
  int x = threadIdx.x;
  // Steps in which no more than 1024 threads have work, by one block with barriers of its own.
  for (int s = threads / 2; s > 0; s /= 2) {
    if (s <= 1024) {
      __syncthreads();
      if (x < s) {
        part[x] += part[x + s];
      }
    }
  }
  if (x == 0) {
    total[0] = part[0];
  }
}
}  // namespace rd_hone

// Stands for a launch of rd: same grid, block and arguments.
static inline void rd_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             float* part, float* total, int n) {
  using namespace rd_hone;
  const long long threads_x = (long long)grid.x * block.x;
  // Where one of these does not hold, the original runs.
  const bool covered = grid.y == 1 && block.y == 1 && grid.z == 1 && block.z == 1;
  const bool in_range = threads_x <= 16384 && n <= 2145353727;
  if (covered && in_range) {
    const dim3 blocks((grid.x * block.x + kRows - 1) / kRows), threads(8, 128);
    rd_hone::rd_part1<<<blocks, threads, 0, stream>>>(a, part, n, (unsigned int)threads_x);
    for (int s = (int)(grid.x * block.x) / 2; s > 1024; s = s / 2) {
      rd_hone::rd_part2<<<grid, block, 0, stream>>>(part, s);
    }
    const dim3 blocks_2(1), threads_2(grid.x * block.x < 1024 ? grid.x * block.x : 1024);
    rd_hone::rd_part3<<<blocks_2, threads_2, 0, stream>>>(part, total, grid.x * block.x);
  } else {
    void* arguments[] = {(void*)&a, (void*)&part, (void*)&total, (void*)&n};
    cudaLaunchCooperativeKernel((const void*)rd, grid, block, arguments, shared, stream);
  }
}

  check((rd_launch(dim3(threads / block), dim3(block), 0, 0, da, part, total, n), cudaPeekAtLastError()));
