// Half of the lanes that a mask names never come.
// grid: (n + 63) / 64
// block: 64
// set: n=192
__global__ void sums(const int* a, int* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) b[i] = a[i] + a[i ^ 1];
}
__global__ void shuffled(const int* a, int* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x % 4 < 2) {
    int v = a[i];
    b[i] = v + __shfl_xor_sync(0xffffffffu, v, 1);
  } else {
    __syncthreads();
    b[i] = a[i] + a[i ^ 1];
  }
}
static void sums_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const int* a, int* b, int n) {
  if (block.x == 64 && n == grid.x * 64 && (a + n <= b || b + n <= a))
    shuffled<<<grid, block, shared, stream>>>(a, b, n);
  else
    sums<<<grid, block, shared, stream>>>(a, b, n);
}
