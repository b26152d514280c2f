__constant__ float weights[4] = {1, 2, 3, 4};
__global__ void weigh(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * weights[i & 3];
}
