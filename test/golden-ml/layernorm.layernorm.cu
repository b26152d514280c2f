// recipe: split-reduction(over=block) launch-bounds
// layernorm, optimized by hone for h200.
// recipe: split-reduction(over=block) launch-bounds
// A row is walked by 128 threads together.
// Registers are for 1024 threads of a multiprocessor at a time.
#ifndef HONE_OFF
namespace layernorm_hone {
constexpr int kThreads = 128;  // of a block, which share a row

__global__ __launch_bounds__(kThreads, 8) void kernel(const float* in, const float* weight, const float* bias,
                                                      float* out, float* mean, float* rstd, int rows,
                                                      int columns) {
  __shared__ float m_parts[kThreads / 32];
  __shared__ float v_parts[kThreads / 32];
  const int lane = threadIdx.x;
  int row = blockIdx.x;
  if (row < rows) {
    const float* x = in + row * columns;
    float m = 0;
    // The iterations of all 3 loops over the row are dealt out to the 128 threads of the block, which put
    // their parts together so that each of them has the whole.
    for (int i = lane; i < columns; i += kThreads) {
      m += x[i];
    }
#pragma unroll
    for (int offset = 32 / 2; offset > 0; offset /= 2) {
      m += __shfl_xor_sync(0xffffffffu, m, offset);
    }
    if (lane % 32 == 0) {
      m_parts[lane / 32] = m;
    }
    __syncthreads();
    m = m_parts[0];
#pragma unroll
    for (int warp = 1; warp < kThreads / 32; ++warp) {
      m += m_parts[warp];
    }
    m = m / columns;
    float v = 0;
    for (int i = lane; i < columns; i += kThreads) {
      float shifted = x[i] - m;
      v += shifted * shifted;
    }
#pragma unroll
    for (int offset = 32 / 2; offset > 0; offset /= 2) {
      v += __shfl_xor_sync(0xffffffffu, v, offset);
    }
    if (lane % 32 == 0) {
      v_parts[lane / 32] = v;
    }
    __syncthreads();
    v = v_parts[0];
#pragma unroll
    for (int warp = 1; warp < kThreads / 32; ++warp) {
      v += v_parts[warp];
    }
    float s = 1.0f / sqrtf(v / columns + 1e-5f);
    for (int i = lane; i < columns; i += kThreads) {
      out[row * columns + i] = (x[i] - m) * s * weight[i] + bias[i];
    }
    __syncthreads();
    if (lane == 0) {
      mean[row] = m;
      rstd[row] = s;
    }
  }
}
}  // namespace layernorm_hone
#endif

// Stands for a launch of layernorm: same grid, block and arguments.
static inline void layernorm_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                    const float* in, const float* weight, const float* bias, float* out,
                                    float* mean, float* rstd, int rows, int columns) {
#ifndef HONE_OFF
  using namespace layernorm_hone;
  const long long threads_x = (long long)grid.x * block.x;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool covered = rows <= threads_x && grid.y == 1 && block.y == 1 && grid.z == 1 && block.z == 1;
  const bool apart = (in + (long long)rows * columns <= out || out + (long long)rows * columns <= in) &&
                     (out + (long long)rows * columns <= weight || weight + columns <= out) &&
                     (bias + columns <= out || out + (long long)rows * columns <= bias);
  const bool in_range = threads_x <= 2146435072 && columns <= 2147483518;
  if (enabled && covered && apart && in_range) {
    const dim3 blocks(grid.x * block.x), threads(kThreads);
    layernorm_hone::kernel<<<blocks, threads, 0, stream>>>(in, weight, bias, out, mean, rstd, rows, columns);
    return;
  }
#endif
  layernorm<<<grid, block, shared, stream>>>(in, weight, bias, out, mean, rstd, rows, columns);
}

  layernorm_launch((rows + 127) / 128, 128, 0, 0, dIn, dWeight, dBias, dOut, dMean, dRstd, rows, columns);
