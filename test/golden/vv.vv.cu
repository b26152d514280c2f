// recipe: block(x=32, y=8) merge-threads(x=4, y=8)
// vv, optimized by hone for h200.
// recipe: block(x=32, y=8) merge-threads(x=4, y=8)
// Each thread does the work of 4x8 threads of neighbouring blocks.
namespace vv_hone {
constexpr int kBlockX = 32;    // threads of a block along x
constexpr int kBlockY = 8;     // threads of a block along y
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int kPerY = 8;       // threads of the original in one thread, along y
constexpr int kTileX = 128;    // threads of the original in a block, along x
constexpr int kTileY = 64;     // threads of the original in a block, along y
constexpr int kThreads = 256;  // threads of a block

__global__ __launch_bounds__(kThreads) void kernel(const float* a, const float* b, float* c, int w, int h) {
  float a_reg[kPerY];
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
    a_reg[ry] = (int)(blockIdx.x * kPerX * kBlockX + threadIdx.x) < w && y < h ? a[y] : 0.0f;
  }
  float b_reg[kPerX];
#pragma unroll
  for (int rx = 0; rx < kPerX; ++rx) {
    int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
    b_reg[rx] = x < w && (int)(blockIdx.y * kPerY * kBlockY + threadIdx.y) < h ? b[x] : 0.0f;
  }
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    int y = (blockIdx.y * kPerY + ry) * kBlockY + threadIdx.y;
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = (blockIdx.x * kPerX + rx) * kBlockX + threadIdx.x;
      if (x < w && y < h) {
        c[y * w + x] += a_reg[ry] * b_reg[rx];
      }
    }
  }
}
}  // namespace vv_hone

// Stands for a launch of vv: same grid, block and arguments.
static inline void vv_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             const float* b, float* c, int w, int h) {
  using namespace vv_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  // Where one of these does not hold, the original runs.
  const bool covered = w <= threads_x && h <= threads_y && grid.z == 1 && block.z == 1;
  const bool in_range = threads_x <= 2146435072 && threads_y <= 524280;
  if (covered && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kBlockX, kBlockY);
    vv_hone::kernel<<<blocks, threads, 0, stream>>>(a, b, c, w, h);
  } else {
    vv<<<grid, block, shared, stream>>>(a, b, c, w, h);
  }
}

  vv_launch(grid, block, 0, 0, da, db, dc, w, h);
