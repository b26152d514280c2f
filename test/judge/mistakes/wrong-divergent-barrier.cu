// Some threads of a block wait in one place, some in another.
// grid: (n + 63) / 64
// block: 64
// set: n=192
__global__ void copied(const int* a, int* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) b[i] = a[i];
}
__global__ void parted(const int* a, int* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x < 32) {
    if (i < n) b[i] = a[i];
    __syncthreads();
  } else {
    __syncthreads();
    if (i < n) b[i] = a[i];
  }
}
static void copied_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const int* a, int* b, int n) {
  if (block.x == 64)
    parted<<<grid, block, shared, stream>>>(a, b, n);
  else
    copied<<<grid, block, shared, stream>>>(a, b, n);
}
