// recipe: block(x=64, y=64) stage vectorize(threads=4) merge-threads(y=4, how=strided)
// tp, optimized by hone for h200.
// recipe: block(x=64, y=64) stage vectorize(threads=4) merge-threads(y=4, how=strided)
// A block collects what it writes of b in shared memory and writes it in order.
// Each thread does the work of 4 threads of its block.
// Wide accesses: 4 elements of a loaded in one access, 4 elements of b stored in one access.
// Each thread does the work of 1x4 threads of its block.
#ifndef HONE_OFF
namespace tp_hone {
constexpr int kTileX = 64;     // threads of the original in a block, along x
constexpr int kTileY = 64;     // threads of the original in a block, along y
constexpr int kPerX = 4;       // threads of the original in one thread, along x
constexpr int kPerY = 4;       // threads of the original in one thread, along y
constexpr int kBlockY = 16;    // threads of a block along y
constexpr int kThreads = 256;  // threads of a block

__global__ __launch_bounds__(kThreads) void kernel(const float* a, float* b, int w, int h, int aligned) {
  __shared__ float b_tile[kTileX][kTileY + 1];
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    const int ty = threadIdx.y + ry * kBlockY;
    int y = blockIdx.y * kTileY + threadIdx.y + ry * kBlockY;
    if (aligned && (int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w && y < h) {
      // Several elements in one access: loads of a.
      const float4 a_four = *(const float4*)(a + (y * w + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX)));
      const float a_part[4] = {a_four.x, a_four.y, a_four.z, a_four.w};
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        const int tx = threadIdx.x * kPerX + rx;
        b_tile[tx][ty] = a_part[rx];
      }
    } else {
      // At the edge, and where arrays are not aligned, one element at a time.
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        const int tx = threadIdx.x * kPerX + rx;
        int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
        if (x < w && y < h) {
          b_tile[tx][ty] = a[y * w + x];
        }
      }
    }
  }
  __syncthreads();
  // Written to b in the order of its rows: 64 x 64 elements of b, which threads write far apart from each
  // other; rows are 1 longer to keep clear of bank conflicts.
#pragma unroll
  for (int ry = 0; ry < kPerY; ++ry) {
    const int ty = threadIdx.y + ry * kBlockY;
    if (aligned && (int)blockIdx.x * kTileX + ty < w &&
        (int)blockIdx.y * kTileY + (int)(threadIdx.x * kPerX + 3u) < h) {
      // Several elements in one access: stores of b.
      float b_part[4];
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        const int tx = threadIdx.x * kPerX + rx;
        b_part[rx] = b_tile[ty][tx];
      }
      *(float4*)(b + (((int)blockIdx.x * kTileX + ty) * h + (int)blockIdx.y * kTileY +
                      (int)(threadIdx.x * kPerX))) = make_float4(b_part[0], b_part[1], b_part[2], b_part[3]);
    } else {
      // At the edge, and where arrays are not aligned, one element at a time.
#pragma unroll
      for (int rx = 0; rx < kPerX; ++rx) {
        const int tx = threadIdx.x * kPerX + rx;
        if ((int)blockIdx.x * kTileX + ty < w && (int)blockIdx.y * kTileY + tx < h) {
          b[((int)blockIdx.x * kTileX + ty) * h + (int)blockIdx.y * kTileY + tx] = b_tile[ty][tx];
        }
      }
    }
  }
}
}  // namespace tp_hone
#endif

// Stands for a launch of tp: same grid, block and arguments.
static inline void tp_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             float* b, int w, int h) {
#ifndef HONE_OFF
  using namespace tp_hone;
  const long long threads_x = (long long)grid.x * block.x;
  const long long threads_y = (long long)grid.y * block.y;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool covered = w <= threads_x && h <= threads_y && grid.z == 1 && block.z == 1;
  const bool apart = a + (long long)w * h <= b || b + (long long)w * h <= a;
  const bool in_range = threads_x <= 2146435072 && threads_y <= 4194240;
  if (enabled && covered && apart && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX, (grid.y * block.y + kTileY - 1) / kTileY),
        threads(kTileX / kPerX, kBlockY);
    const bool aligned = (size_t)a % 16 == 0 && w % 4 == 0 && (size_t)b % 16 == 0 && h % 4 == 0;
    tp_hone::kernel<<<blocks, threads, 0, stream>>>(a, b, w, h, aligned);
    return;
  }
#endif
  tp<<<grid, block, shared, stream>>>(a, b, w, h);
}

  tp_launch(grid, block, 0, 0, da, db, w, h);
