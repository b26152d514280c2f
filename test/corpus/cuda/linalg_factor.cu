// The steps that direct solvers launch one after the other: elimination, LU, Cholesky, Gram-Schmidt, Householder, and
// triangular solves with one thread a right-hand side.

__global__ void forwardSolve(int n, int rhs, const float* L, const float* B, float* X) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= rhs) return;
  for (int i = 0; i < n; i++) {
    float sum = B[i * rhs + j];
    for (int l = 0; l < i; l++) sum -= L[i * n + l] * X[l * rhs + j];
    X[i * rhs + j] = sum / L[i * n + i];
  }
}

__global__ void backwardSolve(int n, int rhs, const float* U, float* B) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= rhs) return;
  for (int i = n - 1; i >= 0; i--) {
    float sum = B[i * rhs + j];
    for (int l = i + 1; l < n; l++) sum -= U[i * n + l] * B[l * rhs + j];
    B[i * rhs + j] = sum / U[i * n + i];
  }
}

__global__ void gaussMultipliers(int n, int k, const float* A, float* M) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1 - k) M[n * (i + k + 1) + k] = A[n * (i + k + 1) + k] / A[n * k + k];
}

__global__ void gaussEliminate(int n, int k, const float* M, float* A, float* b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n - 1 - k || j >= n - k) return;
  A[n * (i + 1 + k) + (j + k)] -= M[n * (i + 1 + k) + k] * A[n * k + (j + k)];
  if (j == 0) b[i + 1 + k] -= M[n * (i + 1 + k) + k] * b[k];
}

__global__ void luRow(int n, int k, float* A) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < n) A[k * n + j] = A[k * n + j] / A[k * n + k];
}

__global__ void luTrailing(int n, int k, float* A) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > k && j > k && i < n && j < n) A[i * n + j] = A[i * n + j] - A[i * n + k] * A[k * n + j];
}

// The factorisation of a whole small matrix in one block.
__global__ void luShared(int n, const float* A, float* LU) {
  __shared__ float s[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  if (x < n && y < n) s[y][x] = A[y * n + x];
  __syncthreads();
  for (int k = 0; k < n - 1; k++) {
    if (x == k && y > k && y < n) s[y][k] /= s[k][k];
    __syncthreads();
    if (x > k && x < n && y > k && y < n) s[y][x] -= s[y][k] * s[k][x];
    __syncthreads();
  }
  if (x < n && y < n) LU[y * n + x] = s[y][x];
}

__global__ void choleskyColumn(int n, int k, const double* A, double* L) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < k || i >= n) return;
  double sum = A[i * n + k];
  double diag = A[k * n + k];
  for (int l = 0; l < k; l++) {
    sum -= L[i * n + l] * L[k * n + l];
    diag -= L[k * n + l] * L[k * n + l];
  }
  if (i > k) L[i * n + k] = sum / sqrt(diag);
}

__global__ void choleskyTrailing(int n, int k, double* A) {
  int j = blockIdx.x * 8 + threadIdx.x + k + 1;
  int i = blockIdx.y * 8 + threadIdx.y + k + 1;
  if (i < n && j <= i) A[i * n + j] -= A[i * n + k] * A[j * n + k];
}

__global__ void gramSchmidtNorm(int rows, int cols, int k, const float* A, float* R) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < rows; i++) sum += A[i * cols + k] * A[i * cols + k];
    R[k * cols + k] = sqrtf(sum);
  }
}

__global__ void gramSchmidtScale(int rows, int cols, int k, const float* A, const float* R, float* Q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) Q[i * cols + k] = A[i * cols + k] / R[k * cols + k];
}

__global__ void gramSchmidtProject(int rows, int cols, int k, const float* Q, float* A, float* R) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < cols) {
    R[k * cols + j] = 0.0f;
    for (int i = 0; i < rows; i++) R[k * cols + j] += Q[i * cols + k] * A[i * cols + j];
    for (int i = 0; i < rows; i++) A[i * cols + j] -= Q[i * cols + k] * R[k * cols + j];
  }
}

// A := (I - tau v v') A, a thread a column, v in shared memory.
__global__ void householder(int rows, int cols, float tau, const float* v, float* A) {
  __shared__ float vs[64];
  for (int i = threadIdx.x; i < rows; i += blockDim.x) vs[i] = v[i];
  __syncthreads();
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= cols) return;
  float w = 0.0f;
  for (int i = 0; i < rows; i++) w += vs[i] * A[i * cols + j];
  for (int i = 0; i < rows; i++) A[i * cols + j] -= tau * vs[i] * w;
}
