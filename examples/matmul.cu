// Matrix product, one thread per element of c, the way one writes it first.
__global__ void matmul(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

void multiply(const float* a, const float* b, float* c, int w) {
  dim3 block(16, 16), grid((w + 15) / 16, (w + 15) / 16);
  matmul<<<grid, block>>>(a, b, c, w);
}
