// recipe: block(x=32, y=32) merge-threads(y=8)
constexpr int kBlockX = 32;  // threads of a block along x
constexpr int kBlockY = 32;  // threads of a block along y
constexpr int kPerY = 8;     // threads of the original in one thread, along y

__global__ void vv(const float* a, const float* b, float* c, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    c[y * w + x] += a[y] * b[x];
  }
}

__global__ void __launch_bounds__(1024) vv_hone(const float* a, const float* b, float* c, int w, int h) {
  int x = blockIdx.x * kBlockX + threadIdx.x;
  float b_reg = x < w && (int)(blockIdx.y * kPerY * kBlockY + threadIdx.y) < h ? b[x] : 0.0f;
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
    if (x < w && y < h) {
      c[y * w + x] += a[y] * b_reg;
    }
  }
}

// Stands for a launch of vv: same grid, block and arguments.
static inline void vv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             const float* b, float* c, int w, int h) {
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where this does not hold, the original runs.
  const bool holds = w <= threads_x && threads_x <= 2146435072 && h <= threads_y && threads_y <= 2097120 &&
                     grid.z == 1 && block.z == 1;
  if (holds) {
    const dim3 blocks((grid.x * block.x + 31) / 32, (grid.y * block.y + 255) / 256), threads(32, 32);
    vv_hone<<<blocks, threads, 0, stream>>>(a, b, c, w, h);
  } else {
    vv<<<grid, block, shared, stream>>>(a, b, c, w, h);
  }
}
