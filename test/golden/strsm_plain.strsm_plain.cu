// recipe: block(x=32) vectorize(threads=2)
// strsm_plain, optimized by hone for h200.
// recipe: block(x=32) vectorize(threads=2)
// Each thread does the work of 2 threads of its block, which share what they load of l.
// Wide accesses: 2 elements of b loaded in one access, 2 elements of x loaded in one access, 2 elements of x
//   stored in one access.
#ifndef HONE_OFF
namespace strsm_plain_hone {
constexpr int kTileX = 32;    // threads of the original in a block, along x
constexpr int kPerX = 2;      // threads of the original in one thread, along x
constexpr int kThreads = 16;  // threads of a block

__global__ __launch_bounds__(kThreads) void kernel(const float* l, const float* b, float* x, int n, int sides,
                                                   int aligned) {
  if ((int)(blockIdx.x * kTileX + threadIdx.x * kPerX) < sides) {
    if (aligned && (int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 1u) < sides) {
      for (int i = 0; i < n; ++i) {
        float sum[kPerX];
        // Several elements in one access: loads of b.
        const float2 b_pair =
            *(const float2*)(b + (i * sides + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX)));
        const float b_part[2] = {b_pair.x, b_pair.y};
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          sum[rx] = b_part[rx];
        }
        for (int k = 0; k < i; ++k) {
          // l is the same for kPerX of the merged threads: loaded once.
          float l_reg = l[i * n + k];
          // Several elements in one access: loads of x.
          const float2 x_pair =
              *(const float2*)(x + (k * sides + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX)));
          const float x_part[2] = {x_pair.x, x_pair.y};
#pragma unroll
          for (int rx = 0; rx < kPerX; ++rx) {
            sum[rx] -= l_reg * x_part[rx];
          }
        }
        float l_reg2 = l[i * n + i];
        // Several elements in one access: stores of x.
        float x_part2[2];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          x_part2[rx] = sum[rx] / l_reg2;
        }
        *(float2*)(x + (i * sides + (int)(blockIdx.x * kTileX + threadIdx.x * kPerX))) =
            make_float2(x_part2[0], x_part2[1]);
      }
    } else {
      // At the edge, and where arrays are not aligned, one element at a time.
      for (int i = 0; i < n; ++i) {
        float sum[kPerX];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          int j = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
          sum[rx] = j < sides ? b[i * sides + j] : 0.0f;
        }
        for (int k = 0; k < i; ++k) {
          // l is the same for kPerX of the merged threads: loaded once.
          float l_reg = l[i * n + k];
#pragma unroll
          for (int rx = 0; rx < kPerX; ++rx) {
            int j = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
            if (j < sides) {
              sum[rx] -= l_reg * x[k * sides + j];
            }
          }
        }
        float l_reg2 = l[i * n + i];
#pragma unroll
        for (int rx = 0; rx < kPerX; ++rx) {
          int j = blockIdx.x * kTileX + threadIdx.x * kPerX + rx;
          if (j < sides) {
            x[i * sides + j] = sum[rx] / l_reg2;
          }
        }
      }
    }
  }
}
}  // namespace strsm_plain_hone
#endif

// Stands for a launch of strsm_plain: same grid, block and arguments.
static inline void strsm_plain_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                                      const float* l, const float* b, float* x, int n, int sides) {
#ifndef HONE_OFF
  using namespace strsm_plain_hone;
  const long long threads_x = (long long)grid.x * block.x;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool covered = sides <= threads_x && grid.y == 1 && block.y == 1 && grid.z == 1 && block.z == 1;
  const bool in_range = threads_x <= 2146435072;
  if (enabled && covered && in_range) {
    const dim3 blocks((grid.x * block.x + kTileX - 1) / kTileX), threads(kTileX / kPerX);
    const bool aligned = (size_t)b % 8 == 0 && sides % 2 == 0 && (size_t)x % 8 == 0;
    strsm_plain_hone::kernel<<<blocks, threads, 0, stream>>>(l, b, x, n, sides, aligned);
    return;
  }
#endif
  strsm_plain<<<grid, block, shared, stream>>>(l, b, x, n, sides);
}

  strsm_plain_launch((sides + 63) / 64, 64, 0, 0, dl, db, dx, n, sides);
