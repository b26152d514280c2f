__global__ void copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

void launchCopy(const float* in, float* out) { copy<<<4, 256>>>(in, out, 1000); }
