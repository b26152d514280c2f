// grid: (n + 63) / 64
// block: 64
// set: n=200
// set: n=33
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
__global__ void wide(const float* a, float* b, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (4 * i < n) *(float4*)(b + 4 * i) = make_float4(2 * a[4 * i], 2 * a[4 * i + 1], 2 * a[4 * i + 2], 2 * a[4 * i + 3]);
}
static void scale_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a, float* b, int n) {
  if (n > 0 && n % 4 == 0 && (size_t)b % 16 == 0 && grid.y * grid.z * block.y * block.z == 1 && n <= grid.x * block.x && (a + n <= b || b + n <= a))
    wide<<<(n / 4 + 31) / 32, 32, 0, stream>>>(a, b, n);
  else
    scale<<<grid, block, shared, stream>>>(a, b, n);
}
