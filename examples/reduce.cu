// Sum of an array: each block halves its part in shared memory, one thread adds the block's sum to the total.
constexpr int BLOCK = 256;

__global__ void reduce(const int* values, unsigned n, int* total) {
  __shared__ int part[BLOCK];
  unsigned i = blockIdx.x * BLOCK + threadIdx.x;
  part[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (unsigned s = BLOCK / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

void sum(const int* values, unsigned n, int* total) {
  reduce<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(values, n, total);
}
