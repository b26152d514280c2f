__global__ void transpose(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

__global__ void debug_sum(const float* in, float* out, int w) {
  float sum = 0;
  for (int i = 0; i < w; ++i) sum += in[threadIdx.x * w + i];
  out[threadIdx.x] = sum;
}

void launchTranspose(const float* in, float* out) {
  transpose<<<dim3(32, 128), dim3(32, 8)>>>(in, out, 1024, 1024);
  debug_sum<<<1, 256>>>(in, out, 1024);
}
