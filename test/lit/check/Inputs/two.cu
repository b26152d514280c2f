__global__ void first(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
__global__ void second(float* a, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width) a[i] *= 2;
}
