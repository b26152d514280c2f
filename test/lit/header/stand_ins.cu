// The stand-ins for the toolkit's further headers compile to PTX, and nvcc takes the same text.
// RUN: %clang_cuda_ptx -isystem %source/runtime/include/cuda_stub %s
// RUN: %if nvcc %{ %nvcc -arch=sm_90 -std=c++17 -ptx -o /dev/null %s %}
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math_constants.h>
#include <mma.h>

namespace cg = cooperative_groups;

__global__ void groups(float* a, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(tile);
  cg::thread_block_tile<32> same = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = cg::reduce(tile, a[tile.thread_rank()], cg::plus<float>());
  sum = cg::reduce(quad, sum, cg::greater<float>()) + cg::inclusive_scan(tile, sum) + same.shfl(sum, 0);
  sum += tile.shfl_down(sum, 3) + tile.shfl_xor(sum, 2) + tile.any(n) + tile.ballot(n) + tile.meta_group_rank();
  cg::coalesced_group active = cg::coalesced_threads();
  if (active.thread_rank() == 0) a[block.group_index().x + block.thread_index().y] = sum;
  cg::grid_group grid = cg::this_grid();
  grid.sync();
  block.sync();
  cg::sync(tile);
  a[grid.thread_rank()] = tile.size() + block.size() + grid.size();
}

__global__ void halves(__half* h, half2* p, __nv_bfloat16* b, float* f) {
  int i = threadIdx.x;
  h[i] = __hadd(h[i], h[0]) + h[1] * __float2half(2.0f) - __hmul(h[2], h[3]);
  h[i] += h[4];
  if (h[i] < h[5] || __hgt(h[i], h[6])) h[i] = -h[i];
  p[i] = __hfma2(p[i], p[0], p[1]) + __floats2half2_rn(1.0f, 2.0f);
  f[i] = __half2float(h[i]) + __low2float(p[i]) + __bfloat162float(b[i]) + (float)h[1];
  b[i] = __float2bfloat16(f[i]) + b[0];
  h[i] = hexp(h[i]);
  atomicAdd(h, h[i]);
}

__global__ void complexNumbers(cuFloatComplex* c, float* f) {
  int i = threadIdx.x;
  c[i] = cuCaddf(cuCmulf(c[i], make_cuFloatComplex(1.0f, 2.0f)), cuConjf(c[0]));
  f[i] = cuCrealf(c[i]) + cuCabsf(c[i]) + CUDART_PI_F + CUDART_INF_F;
}

__global__ void fragments(const half* a, const half* b, float* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  for (int t = 0; t < sum.num_elements; t++) sum.x[t] *= 2.0f;
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}
