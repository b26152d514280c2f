// Sums of tiles of cooperative groups, whose numbers say which row they work on; of OpenCL's work-groups.
// RUN: %hone opt %s --reassociate --block 128 --recipe untree --no-verify -o - 2>/dev/null | FileCheck %s
// RUN: %hone verify %s --reassociate --block 128 --grid 5 --recipe untree --set n=100 --set rows=18 | FileCheck --check-prefix=SAME %s
// RUN: %hone verify %s --reassociate --block 128 --grid 5 --recipe 'untree split-reduction' --set n=100 --set rows=18 --kernel centred | FileCheck --check-prefix=SPLIT %s
// RUN: %hone verify %S/Inputs/columns.cl --reassociate --block 64 --grid 7 --recipe untree --set n=300 --set w=7 | FileCheck --check-prefix=OPENCL %s
// SAME-COUNT-2: kernel `{{[a-z]+}}`: equal in
// SPLIT: kernel `centred`: equal in
// OPENCL: kernel `columns`: equal in
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// CHECK-LABEL: namespace centred_hone
// CHECK: int row = blockIdx.x * kBlockX + threadIdx.x;
// CHECK: for (int i = 0; i < n; ++i) {
// CHECK-NEXT: sum += x[i];
// CHECK: float mean = sum / n;
// CHECK-NEXT: if (means != nullptr) {
// CHECK: y[row * n + i] = x[i] - mean;
__global__ void centred(const float* __restrict__ a, float* __restrict__ y, float* __restrict__ means, int n, int rows) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (row >= rows) return;
  const float* x = a + row * n;
  float sum = 0;
  for (int i = tile.thread_rank(); i < n; i += tile.size()) sum += x[i];
  sum = cg::reduce(tile, sum, cg::plus<float>{});
  float mean = sum / n;
  if (tile.thread_rank() == 0 && means != nullptr) means[row] = mean;
  tile.sync();
  for (int i = tile.thread_rank(); i < n; i += tile.size()) y[row * n + i] = x[i] - mean;
}

// Eight lanes a row, four rows a warp.
// CHECK-LABEL: namespace eighths_hone
// CHECK: int row = blockIdx.x * kBlockX + threadIdx.x;
// CHECK-NOT: __shfl
// CHECK: y[row] = most;
__global__ void eighths(const int* a, int* y, int n, int rows) {
  int lane = threadIdx.x % 8, row = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
  int most = -1;
  if (row < rows)
    for (int i = lane; i < n; i += 8) most = max(most, a[row * n + i]);
  for (int h = 4; h > 0; h /= 2) most = max(most, __shfl_xor_sync(0xffffffff, most, h));
  if (row < rows && lane == 0) y[row] = most;
}
