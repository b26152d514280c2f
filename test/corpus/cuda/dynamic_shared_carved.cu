// One extern __shared__ array carved into several arrays by casts and pointer arithmetic.
__global__ void carved(const float* in, const int* keys, float* out, int n) {
  extern __shared__ unsigned char smem[];
  float* vals = reinterpret_cast<float*>(smem);
  int* ks = (int*)(vals + blockDim.x);
  double* acc = (double*)&ks[blockDim.x];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  vals[t] = i < n ? in[i] : 0.0f;
  ks[t] = i < n ? keys[i] : 0;
  acc[t] = 0.0;
  __syncthreads();
  for (int k = 0; k < blockDim.x; ++k)
    if (ks[k] == ks[t]) acc[t] += vals[k];
  __syncthreads();
  if (i < n) out[i] = (float)acc[t];
}

extern __shared__ int pool[];

__global__ void carvedTypedPool(int* data, int rows, int cols) {
  int* left = pool;
  int* right = &pool[rows * cols];
  for (int i = threadIdx.x; i < rows * cols; i += blockDim.x) {
    left[i] = data[i];
    right[i] = -data[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < rows * cols; i += blockDim.x) data[i] = left[rows * cols - 1 - i] + right[i];
}
