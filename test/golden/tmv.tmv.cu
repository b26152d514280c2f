// recipe: promote split-reduction(over=warp) unroll(by=8)
constexpr int kLanes = 32;  // of a warp, which share a loop
constexpr int kRows = 4;    // pieces of work of a block, each that of one thread before
constexpr int kUnroll = 8;  // rounds of a loop between two tests of its end

__global__ void tmv(const float* a, const float* v, float* y, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    for (int i = 0; i < h; ++i) {
      y[x] += a[i * w + x] * v[i];
    }
  }
}

__global__ void __launch_bounds__(128) tmv_hone(const float* a, const float* v, float* y, int w, int h) {
  const int lane = threadIdx.x;
  int x = blockIdx.x * kRows + threadIdx.y;
  if (x < w) {
    // y[x] is read and written in every round: it lives in a register while the loop runs.
    if (h > 0) {
      float y_sum = y[x];
      // The rounds are dealt out to the 32 lanes of a warp, which then put their parts together.
      if (lane != 0) {
        y_sum = 0.0f;
      }
      // 8 rounds at a time; the second loop does the rest.
      int i_next = lane;
      for (; i_next < h && h - i_next > 224; i_next += kUnroll * 32) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) {
          const int i = i_next + u * 32;
          y_sum += a[i * w + x] * v[i];
        }
      }
#pragma unroll 1
      for (int i = i_next; i < h; i += kLanes) {
        y_sum += a[i * w + x] * v[i];
      }
#pragma unroll
      for (int offset = kLanes / 2; offset > 0; offset /= 2) {
        y_sum += __shfl_xor_sync(0xffffffffu, y_sum, offset);
      }
      __syncwarp();
      if (lane == 0) {
        y[x] = y_sum;
      }
    }
  }
}

// Stands for a launch of tmv: same grid, block and arguments.
static inline void tmv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                              const float* v, float* y, int w, int h) {
  const long long threads_x = (long long)grid.x * block.x;
  // Where this does not hold, the original runs.
  const bool holds =
      (threads_x + 255) / 256 <= 8388608 && (a + (long long)w * h <= y || y + (long long)w <= a) &&
      (v + (long long)h <= y || y + (long long)w <= v) && w <= threads_x && threads_x <= 2146435072 &&
      grid.y == 1 && block.y == 1 && grid.z == 1 && block.z == 1 && h <= 2147483614;
  if (holds) {
    const dim3 blocks((grid.x * block.x + 3) / 4), threads(32, 4);
    tmv_hone<<<blocks, threads, 0, stream>>>(a, v, y, w, h);
  } else {
    tmv<<<grid, block, shared, stream>>>(a, v, y, w, h);
  }
}
