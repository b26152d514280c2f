// Values put together by tiles of cooperative groups, in an array that is declared as another type.
// RUN: %hone opt %s --reassociate --block 256 --recipe retree --no-verify -o - 2>/dev/null | FileCheck %s
// RUN: %hone verify %s --reassociate --block 256 --grid 3 --recipe retree --set n=1000 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 64 --grid 3 --recipe retree --set n=1000 | FileCheck --check-prefix=SAME %s
// SAME: kernel `tiles`: equal in
#include <cooperative_groups.h>

// CHECK-LABEL: namespace tiles_hone
// CHECK: __shfl_xor_sync
__device__ float* memory() {
  extern __shared__ int bytes[];
  return (float*)bytes;
}
__global__ void tiles(const float* a, float* o, int n) {
  cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  cooperative_groups::thread_block_tile<32> tile = cooperative_groups::tiled_partition<32>(block);
  float* sh = memory();
  unsigned t = block.thread_rank();
  float mine = a[blockIdx.x * blockDim.x + t];
  sh[t] = mine;
  block.sync();
  for (unsigned s = blockDim.x / 2; s >= 32; s >>= 1) {
    if (t < s) sh[t] = mine = mine + sh[t + s];
    block.sync();
  }
  if (tile.meta_group_rank() == 0)
    for (int s = 16; s > 0; s >>= 1) mine += tile.shfl_down(mine, s);
  if (t == 0) o[blockIdx.x] = mine;
}
