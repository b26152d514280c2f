__global__ void transpose(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}

// Each block says which it is: what is left out or done twice shows.
__global__ void order(int* seen, int w, int h) {
  if (blockIdx.x < w && blockIdx.y < h) seen[blockIdx.y * w + blockIdx.x] += gridDim.x * 100 + blockIdx.y;
}
