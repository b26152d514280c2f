// The test is turned round, which NaN tells apart.
// grid: (n + 63) / 64
// block: 64
// set: n=200
__global__ void limited(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] < 1.0f ? a[i] : 1.0f;
}
__global__ void turned(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] >= 1.0f ? 1.0f : a[i];
}
static void limited_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a, float* b, int n) {
  turned<<<grid, block, shared, stream>>>(a, b, n);
}
