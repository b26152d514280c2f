// A barrier is missing: one order of threads would not show it.
// grid: (n + 63) / 64
// block: 64
// set: n=192
// set: n=64
__global__ void turn(const int* a, int* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) b[i] = a[blockIdx.x * 64 + 63 - threadIdx.x];
}
__global__ void turned(const int* a, int* b, int n) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[blockIdx.x * 64 + threadIdx.x];
  b[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}
static void turn_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const int* a, int* b, int n) {
  if (block.x == 64 && n == grid.x * 64 && block.y * block.z * grid.y * grid.z == 1 && (a + n <= b || b + n <= a))
    turned<<<grid, block, shared, stream>>>(a, b, n);
  else
    turn<<<grid, block, shared, stream>>>(a, b, n);
}
