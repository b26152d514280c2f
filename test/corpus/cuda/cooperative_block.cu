// no-opencl: reverseBlock OpenCL has no
// code-differs: reverseBlock
// Cooperative groups: the thread block, its sync, ranks and sizes, group_index and thread_index.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reverseBlock(int* data, int n) {
  extern __shared__ int tmp[];
  cg::thread_block block = cg::this_thread_block();
  unsigned rank = block.thread_rank();
  int i = block.group_index().x * block.size() + rank;
  if (i < n) tmp[rank] = data[i];
  block.sync();
  if (i < n) data[i] = tmp[block.size() - 1 - rank] + block.thread_index().x;
  cg::sync(block);
}
