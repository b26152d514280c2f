// no-opencl: gather tex1D
// no-opencl: rotate tex2D
// no-opencl: sliceVolume tex3D
// Texture objects: tex1Dfetch, tex1D, tex2D, tex3D and layered lookups of several element types.
#include <cuda_runtime.h>

__global__ void gather(cudaTextureObject_t tex, const int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(tex, idx[i]) + tex1D<float>(tex, i + 0.5f);
}

__global__ void rotate(float* out, int w, int h, cudaTextureObject_t tex, float theta) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = x / (float)w - 0.5f;
  float v = y / (float)h - 0.5f;
  float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
  float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;
  out[y * w + x] = tex2D<float>(tex, tu, tv);
}

__global__ void sliceVolume(cudaTextureObject_t volume, uchar4* image, int w, float z) {
  int x = threadIdx.x, y = blockIdx.x;
  float4 c = tex3D<float4>(volume, x + 0.5f, y + 0.5f, z);
  uchar4 p = tex2D<uchar4>(volume, x, y);
  image[y * w + x] = make_uchar4(255 * c.x, 255 * c.y, p.z, 0);
}
