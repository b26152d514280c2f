// recipe: vectorize(threads=4)
// tp, optimized by hone for h200.
// recipe: vectorize(threads=4)
namespace tp_hone {
constexpr int kTileX = 16;    // threads of the original in a block, along x
constexpr int kBlockY = 16;   // threads of a block along y
constexpr int kPerX = 4;      // threads of the original in one thread, along x
constexpr int kThreads = 64;  // threads of a block

// Each thread does the work of 4 threads of its block.
// Wide accesses: 4 elements of a loaded in one access.
__global__ __launch_bounds__(kThreads) void kernel_1(const float* a, float* b, int w, int h, int aligned) {
  int y = blockIdx.y * kBlockY + threadIdx.y;
  if (aligned && (int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 3u) < w && y < h) {
    // Several elements in one access: loads of a.
    const float4 a_four = *(const float4*)(a + (y * w + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX)));
    const float a_part[4] = {a_four.x, a_four.y, a_four.z, a_four.w};
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
      b[x * h + y] = a_part[rx];
    }
  } else {
    // At the edge, and where arrays are not aligned, one element at a time.
#pragma unroll
    for (int rx = 0; rx < kPerX; ++rx) {
      int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
      if (x < w && y < h) {
        b[x * h + y] = a[y * w + x];
      }
    }
  }
}

// Each thread does the work of 4 threads of its block.
__global__ __launch_bounds__(kThreads) void kernel_2(const float* a, float* b, int w, int h) {
  int y = blockIdx.y * kBlockY + threadIdx.y;
#pragma unroll
  for (int rx = 0; rx < kPerX; ++rx) {
    int x = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
    if (x < w && y < h) {
      b[x * h + y] = a[y * w + x];
    }
  }
}
}  // namespace tp_hone

// Stands for a launch of tp: same grid, block and arguments.
static inline void tp_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a,
                             float* b, int w, int h) {
  using namespace tp_hone;
  // Where this does not hold, the original runs.
  const bool covered = block.x == 16 && block.y == 16 && block.z == 1;
  if (covered) {
    const bool apart = a + (long long)w * h <= b || b + (long long)w * h <= a;
    const bool in_range = (long long)grid.x <= 134217728;
    if (apart && in_range) {
      const dim3 threads((unsigned int)kTileX / kPerX, kBlockY);
      const bool aligned = (size_t)a % 16 == 0 && w % 4 == 0;
      tp_hone::kernel_1<<<grid, threads, 0, stream>>>(a, b, w, h, aligned);
    } else {
      const dim3 threads_2((unsigned int)kTileX / kPerX, kBlockY);
      tp_hone::kernel_2<<<grid, threads_2, 0, stream>>>(a, b, w, h);
    }
  } else {
    tp<<<grid, block, shared, stream>>>(a, b, w, h);
  }
}

  tp_launch(grid, block, 0, 0, da, db, w, h);
