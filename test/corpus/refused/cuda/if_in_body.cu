// expect-refused: inBody 9 #if
// expect-refused: inBlock 20 #if
// expect-imported: outside
// Preprocessor conditionals inside a kernel body that no test behind the kernel can ask for again.
#define FAST 1

__global__ void inBody(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 800
  if (i < n) x[i] = __expf(x[i]);
#else
  if (i < n) x[i] = expf(x[i]);
#endif
}

__global__ void inBlock(float* x, int n) {
  for (int i = threadIdx.x; i < n; ++i) {
#undef MODE
#define MODE 2
#if MODE == 2
    x[i] = 0;
#endif
    x[i] += 1;
  }
}

#if FAST
__global__ void outside(float* x) { x[threadIdx.x] = 1; }
#endif
