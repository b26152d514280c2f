// A sum, and what rotate-loop makes of it, written by hand.
__global__ void rows(const float* a, const float* x, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    float sum = 0;
    for (int j = 0; j < w; ++j) sum += a[i * w + j] * x[j];
    y[i] = sum;
  }
}
__global__ void rotated(const float* a, const float* x, float* y, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < h) {
    float sum = 0;
    for (int k = 0; k < w; ++k) {
      int j = (k + 64 * (blockIdx.x + 1)) % w;
      sum += a[i * w + j] * x[j];
    }
    y[i] = sum;
  }
}
