// no-opencl: spmvCsrVector __shfl_xor_sync
// Sparse matrix times vector: scalar, vector (a warp a row) and ELL forms with indirect subscripts and __ldg.
__global__ void spmvCsrScalar(int rows, const int* __restrict__ ptr, const int* __restrict__ idx,
                              const double* __restrict__ val, const double* __restrict__ x, double* __restrict__ y) {
  const int r = threadIdx.x + blockIdx.x * blockDim.x;
  if (r < rows) {
    double dot = 0;
    const int end = ptr[r + 1];
    for (int j = ptr[r]; j < end; ++j) dot += val[j] * __ldg(&x[idx[j]]);
    y[r] = dot;
  }
}

__global__ void spmvCsrVector(int rows, const int* ptr, const int* idx, const float* val, const float* x, float* y) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int warp = thread / 32, lane = thread & 31;
  if (warp >= rows) return;
  float sum = 0;
  for (int j = ptr[warp] + lane; j < ptr[warp + 1]; j += 32) sum += val[j] * x[idx[j]];
  for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
  if (!lane) y[warp] = sum;
}

__global__ void spmvEll(int n, int width, const int* cols, const float* vals, const float* x, float* y, float alpha, float beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0.f;
    for (int k = 0; k < width; k++) {
      int c = cols[k * n + i];
      if (c < 0) break;
      s += vals[k * n + i] * __ldg(x + c);
    }
    y[i] = alpha * s + (beta == 0.f ? 0.f : beta * y[i]);
  }
}
