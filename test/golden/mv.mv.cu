// recipe: split-reduction(over=block) merge-threads(x=2)
// mv, optimized by hone for h200.
// recipe: split-reduction(over=block) merge-threads(x=2)
// The rounds of the loop over i are shared by 128 threads, which put their parts together.
// Each thread does the work of 2 threads of neighbouring blocks, which share what they load of v.
namespace mv_hone {
constexpr int kThreads = 128;  // of a block, which share a loop
constexpr int kPerX = 2;       // threads of the original in one thread, along x

__global__ __launch_bounds__(kThreads) void kernel(const float* a, const float* v, float* y, int w, int h) {
  __shared__ float sum_parts[kPerX][kThreads];
  const int lane = threadIdx.x;
  float sum[kPerX] = {};
  // The rounds are dealt out to the 128 threads of the block, which then put their parts together.
  for (int i = lane; i < w; i += kThreads) {
    // v is the same for kPerX of the merged threads: loaded once.
    float v_reg = (int)(blockIdx.x * kPerX) < h ? v[i] : 0.0f;
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = blockIdx.x * kPerX + rx;
      if (x < h) {
        sum[rx] += a[x * w + i] * v_reg;
      }
    }
  }
#pragma unroll
  for (int rx = 0; rx < kPerX; ++rx) {
    int x = blockIdx.x * kPerX + rx;
    if (x < h) {
      sum_parts[rx][lane] = sum[rx];
    }
  }
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = blockIdx.x * kPerX + rx;
      if (x < h && lane < half) {
        sum_parts[rx][lane] += sum_parts[rx][lane + half];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int rx = 0; rx < kPerX; ++rx) {
    int x = blockIdx.x * kPerX + rx;
    if (x < h && lane == 0) {
      sum[rx] = sum_parts[rx][0];
      y[x] = sum[rx];
    }
  }
}
}  // namespace mv_hone

// Stands for a launch of mv: same grid, block and arguments.
static inline void mv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             const float* v, float* y, int w, int h) {
  using namespace mv_hone;
  const long long threads_x = (long long)grid.x * block.x;
  // Where one of these does not hold, the original runs.
  const bool covered = h <= threads_x && grid.y == 1 && block.y == 1 && grid.z == 1 && block.z == 1;
  const bool in_range = threads_x <= 2146435072 && w <= 2147483518;
  if (covered && in_range) {
    const dim3 blocks((grid.x * block.x + kPerX - 1) / kPerX), threads(kThreads);
    mv_hone::kernel<<<blocks, threads, 0, stream>>>(a, v, y, w, h);
  } else {
    mv<<<grid, block, shared, stream>>>(a, v, y, w, h);
  }
}

  mv_launch((h + 255) / 256, 256, 0, 0, da, dv, dy, w, h);
