// Sum of an array: each thread sums every so many elements, then the threads halve what is left, all in one kernel.
#include <cuda_runtime.h>
#include <hone.h>

#pragma hone grid(16) block(128) length(a = n, part = 2048, total = 1) output(total) temporary(part)
static __global__ void rd(const float* a, float* part, float* total, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = x; i < n; i += threads) sum += a[i];
  part[x] = sum;
  for (int s = threads / 2; s > 0; s /= 2) {
    hone_grid_sync();
    if (x < s) part[x] += part[x + s];
  }
  if (x == 0) total[0] = part[0];
}

extern "C" void ENTRY(float* a, float* part, float* total, int n, int, int) {
  void* args[] = {&a, &part, &total, &n};
  cudaLaunchCooperativeKernel((const void*)rd, dim3(16), dim3(128), args, 0, 0);
}
