// A test before the launch takes an unsigned size for a signed one.
// grid: (n + 31) / 32
// block: 32
// set: n=90
// set: n=20
__global__ void scale(const float* a, float* b, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
static void scale_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a, float* b, size_t n) {
  if ((long long)n <= (long long)grid.x * block.x && grid.y * grid.z * block.y * block.z == 1)
    scale<<<(grid.x * block.x + 63) / 64, 64, shared, stream>>>(a, b, n);
  else
    scale<<<grid, block, shared, stream>>>(a, b, n);
}
