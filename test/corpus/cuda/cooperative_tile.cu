// no-opencl: tileSum OpenCL has no
// no-opencl: tileReduce OpenCL has no
// no-opencl: tileVotes OpenCL has no
// code-differs: tileReduce
// Cooperative groups: tiles of several sizes with rank, sync, shuffles, votes and reduce.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void tileSum(const float* in, float* out, int n) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  for (int o = tile.size() / 2; o > 0; o /= 2) v += tile.shfl_down(v, o);
  if (tile.thread_rank() == 0) atomicAdd(out, v);
}

__global__ void tileReduce(const int* in, int* sums, int* maxes) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  int s = cg::reduce(tile, v, cg::plus<int>());
  int m = cg::reduce(tile, v, cg::greater<int>());
  if (tile.thread_rank() == 0) {
    int g = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
    sums[g] = s;
    maxes[g] = m;
  }
}

__global__ void tileVotes(const int* in, unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int v = in[threadIdx.x];
  unsigned b = tile.ballot(v > 0);
  if (tile.any(v == 3)) b |= 0x100;
  if (tile.all(v < 100)) b |= 0x200;
  tile.sync();
  b += tile.shfl(v, 0) + tile.shfl_up(v, 1) + tile.shfl_xor(v, 2);
  out[threadIdx.x] = b + tile.meta_group_rank() * tile.num_threads();
}
