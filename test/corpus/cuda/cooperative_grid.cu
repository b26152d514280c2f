// no-opencl: iterate OpenCL has no
// code-differs: iterate
// Cooperative groups: a grid-wide barrier, its rank and size, with a cooperative launch.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

using namespace cooperative_groups;

__global__ void iterate(float* a, float* b, int n, int steps) {
  grid_group grid = this_grid();
  for (int s = 0; s < steps; ++s) {
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
      float l = i > 0 ? a[i - 1] : 0.0f;
      float r = i + 1 < n ? a[i + 1] : 0.0f;
      b[i] = 0.5f * (l + r);
    }
    grid.sync();
    float* t = a;
    a = b;
    b = t;
  }
}

void launchIterate(float* a, float* b, int n, int steps) {
  void* args[] = {&a, &b, &n, &steps};
  cudaLaunchCooperativeKernel((void*)iterate, dim3(64), dim3(256), args, 0, 0);
}
