// A shuffle reads lanes that its mask leaves out.
// grid: 2
// block: 32
// set: n=64
__global__ void halves(const int* a, int* b, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x < 16 && i + 4 < n) b[i] = a[i] + a[i + 4];
}
__global__ void masked(const int* a, int* b, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x < 16) {
    int v = a[i], w = __shfl_down_sync(0xffffu, v, 4);
    if (i + 4 < n) b[i] = v + w;
  }
}
static void halves_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const int* a, int* b, int n) {
  if (block.x == 32 && n == grid.x * 32 && (a + n <= b || b + n <= a))
    masked<<<grid, block, shared, stream>>>(a, b, n);
  else
    halves<<<grid, block, shared, stream>>>(a, b, n);
}
