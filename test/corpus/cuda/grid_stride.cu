// Grid-stride loops in one and two dimensions with 64-bit indices and a helper for the global id.
typedef long long index_t;

__device__ inline index_t globalId() { return blockIdx.x * (index_t)blockDim.x + threadIdx.x; }
__device__ inline index_t globalSize() { return (index_t)gridDim.x * blockDim.x; }

__global__ void relu(float* __restrict__ x, index_t n) {
  const index_t stride = globalSize();
  for (index_t i = globalId(); i < n; i += stride) x[i] = x[i] > 0 ? x[i] : 0;
}

__global__ void addBias(float* m, const float* bias, size_t rows, size_t cols, size_t pitch) {
  for (size_t r = blockIdx.y * blockDim.y + threadIdx.y; r < rows; r += gridDim.y * blockDim.y) {
    float* row = (float*)((char*)m + r * pitch);
    for (size_t c = blockIdx.x * blockDim.x + threadIdx.x; c < cols; c += gridDim.x * blockDim.x) row[c] += bias[c];
  }
}
