// A cooperative launch: all blocks meet between the phases of a prefix sum.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void prefix(int* data, int* sums, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ int values[];
  const int i = grid.thread_rank(), t = block.thread_rank();
  values[t] = i < n ? data[i] : 0;
  block.sync();
  for (int o = 1; o < int(block.size()); o *= 2) {
    const int add = t >= o ? values[t - o] : 0;
    block.sync();
    values[t] += add;
    block.sync();
  }
  if (t == int(block.size()) - 1) sums[blockIdx.x] = values[t];
  grid.sync();
  int before = 0;
  for (int b = 0; b < int(blockIdx.x); ++b) before += sums[b];
  if (i < n) data[i] = values[t] + before;
}

int main() {
  int n = 1000;
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i) data[i] = i % 9;
  int *d, *sums;
  cudaMalloc(&d, n * sizeof(int));
  cudaMalloc(&sums, 8 * sizeof(int));
  cudaMemcpy(d, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  void* args[] = {&d, &sums, &n};
  cudaError_t status = cudaLaunchCooperativeKernel((void*)prefix, dim3(8), dim3(128), args, 128 * sizeof(int), 0);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != (sum += data[i]);
  std::printf("%s, %d wrong, last %d\n", cudaGetErrorName(status), wrong, result[n - 1]);
  cudaFree(d);
  cudaFree(sums);
}
