// Static shared memory beyond what a block of the target may have: nvcc refuses the kernel.
#ifdef FIX
constexpr int words = 12000;
#else
constexpr int words = 20000;
#endif

__global__ void sum(const float* in, float* out) {  // FAULT: shared-too-large
  __shared__ float all[words];
  const int i = threadIdx.x;
  all[i] = in[i];
  __syncthreads();
  out[i] = all[i] + all[31 - i];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
