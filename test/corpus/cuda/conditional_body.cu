// left-alone: inBody #if
// left-alone: inBlock #if
// Preprocessor conditionals inside a kernel body, also ones whose branch is empty or nested in a block.
#define FAST 1

__global__ void inBody(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if FAST
  if (i < n) x[i] = x[i] + 1;
#else
  if (i < n) x[i] = x[i] + 2;
#endif
}

__global__ void inBlock(float* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
#ifdef NEVER_DEFINED
    x[i] = 0;
#endif
    x[i] += 1;
  }
}
