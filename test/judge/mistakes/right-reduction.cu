// Sums of a block by shuffles, dynamic shared memory, a buffer between two launches.
// grid: (n + 63) / 64
// block: 64
// set: n=200 m=100
// set: n=3 m=40
__global__ void rows(const int* a, int* b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (int j = 0; j < m; ++j) s += a[i * m + j];
  b[i] = s;
}
__global__ void partial(const int* a, int* part, int n, int m) {
  extern __shared__ int sums[];
  int s = 0;
  for (int j = threadIdx.x; j < m; j += 64) s += a[blockIdx.x * m + j];
  for (int offset = 16; offset > 0; offset /= 2) s += __shfl_xor_sync(0xffffffffu, s, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) part[blockIdx.x] = sums[0] + sums[1];
}
__global__ void copy(const int* part, int* b, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) b[i] = part[i];
}
static void rows_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const int* a, int* b, int n, int m) {
  int* part = nullptr;
  if (n > 0 && m > 0 && m < 1000 && grid.y * grid.z * block.y * block.z == 1 && n <= grid.x * block.x &&
      (a + n * m <= b || b + n <= a) && cudaMallocAsync(&part, n * sizeof(int), stream) == cudaSuccess) {
    partial<<<n, 64, 2 * sizeof(int), stream>>>(a, part, n, m);
    copy<<<(n + 63) / 64, 64, 0, stream>>>(part, b, n);
    cudaFreeAsync(part, stream);
  } else {
    rows<<<grid, block, shared, stream>>>(a, b, n, m);
  }
}
