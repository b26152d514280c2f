// What a launch function allocates is not released.
// grid: (n + 63) / 64
// block: 64
// set: n=200
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
static void scale_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a, float* b, int n) {
  float* part = nullptr;
  cudaMallocAsync(&part, 64, stream);
  scale<<<grid, block, shared, stream>>>(a, b, n);
}
