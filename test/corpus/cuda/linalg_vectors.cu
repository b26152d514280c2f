// Dense vector and matrix-vector kernels as people write them: the axpy family, dot product partials, products with a
// matrix and its transpose, a rank-one update and the vector steps of conjugate gradients.

__global__ void axpy(int n, float alpha, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

__global__ void axpbyStrided(int n, float alpha, const float* x, int incx, float beta, float* y, int incy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * incy] = alpha * x[i * incx] + beta * y[i * incy];
}

__global__ void axpyGridStride(int n, double alpha, const double* x, const double* y, double* z) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    z[i] = alpha * x[i] + y[i];
}

__global__ void dotPartials(int n, const float* x, const float* y, float* partial) {
  __shared__ float cache[128];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) sum += x[i] * y[i];
  cache[t] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) cache[t] += cache[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = cache[0];
}

__global__ void gemv(int rows, int cols, float alpha, const float* A, const float* x, float beta, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < cols; j++) sum += A[row * cols + j] * x[j];
  y[row] = alpha * sum + beta * y[row];
}

__global__ void gemvTransposed(int rows, int cols, const float* A, const float* x, float* y) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < cols) {
    y[col] = 0.0f;
    for (int i = 0; i < rows; i++) y[col] += A[i * cols + col] * x[i];
  }
}

// The vector comes through shared memory, a block's width at a time.
__global__ void gemvTiled(int rows, int cols, int lda, const float* A, const float* x, float* y) {
  __shared__ float xs[64];
  int row = blockIdx.x * 64 + threadIdx.x;
  float sum = 0.0f;
  for (int base = 0; base < cols; base += 64) {
    xs[threadIdx.x] = base + threadIdx.x < cols ? x[base + threadIdx.x] : 0.0f;
    __syncthreads();
    if (row < rows)
      for (int j = 0; j < 64 && base + j < cols; j++) sum += A[row + (base + j) * lda] * xs[j];
    __syncthreads();
  }
  if (row < rows) y[row] = sum;
}

// One block a row.
__global__ void gemvRowBlocks(int cols, const double* A, const double* x, double* y) {
  __shared__ double part[32];
  int row = blockIdx.x;
  double sum = 0.0;
  for (int j = threadIdx.x; j < cols; j += 32) sum += A[row * cols + j] * x[j];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 16; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[row] = part[0];
}

// Two products at once, as in the bi-conjugate gradients.
__global__ void bicgProducts(int nx, int ny, const float* A, const float* p, const float* r, float* q,
                             float* s) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < nx) {
    q[t] = 0.0f;
    for (int j = 0; j < ny; j++) q[t] += A[t * ny + j] * p[j];
  }
  if (t < ny) {
    s[t] = 0.0f;
    for (int i = 0; i < nx; i++) s[t] += A[i * ny + t] * r[i];
  }
}

__global__ void rankOne(int rows, int cols, float alpha, const float* x, const float* y, float* A) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < cols) A[i * cols + j] += alpha * x[i] * y[j];
}

__global__ void rankTwo(int n, const float* u1, const float* v1, const float* u2, const float* v2, float* A) {
  int j = blockIdx.x * 16 + threadIdx.x;
  int i = blockIdx.y * 16 + threadIdx.y;
  if (i >= n || j >= n) return;
  A[i * n + j] = A[i * n + j] + u1[i] * v1[j] + u2[i] * v2[j];
}

__global__ void cgStep(int n, const float* rr, const float* pq, const float* p, const float* q, float* x,
                       float* r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float alpha = rr[0] / pq[0];
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
}

__global__ void cgDirection(int n, float beta, const float* r, float* p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = r[i] + beta * p[i];
}
