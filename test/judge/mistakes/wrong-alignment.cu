// Wide accesses without a test of the pointer.
// grid: (n + 63) / 64
// block: 64
// set: n=256
__global__ void plain(const float* a, float* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) b[i] = a[i];
}
__global__ void wide(const float* a, float* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (4 * i < n) *(float4*)(b + 4 * i) = *(const float4*)(a + 4 * i);
}
static void plain_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* a, float* b, int n) {
  if (block.x == 64 && n == grid.x * 64 && n % 4 == 0 && (a + n <= b || b + n <= a))
    wide<<<grid, block, shared, stream>>>(a, b, n);
  else
    plain<<<grid, block, shared, stream>>>(a, b, n);
}
