// no-opencl: writeSurface surf2Dwrite
// A surface write.
#include <cuda_runtime.h>
__global__ void writeSurface(cudaSurfaceObject_t s, int w) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < w) surf2Dwrite(1.0f, s, x * 4, y);
}
