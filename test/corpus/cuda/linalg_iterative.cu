// Iterative and sparse solvers: Jacobi sweeps, ELL and DIA products, tridiagonal systems by parallel cyclic reduction
// in shared memory and by elimination with one thread a system.
#define WIDTH 4

__global__ void jacobiDense(int n, const float* A, const float* b, const float* x, float* xNew) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < i; j++) sum += A[i * n + j] * x[j];
  for (int j = i + 1; j < n; j++) sum += A[i * n + j] * x[j];
  xNew[i] = (b[i] - sum) / A[i * n + i];
}

__global__ void jacobiGrid(int w, int h, float hh, const float* u, const float* f, float* uNew) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    uNew[y * w + x] = 0.25f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x] -
                               hh * f[y * w + x]);
}

// A tile and its border in shared memory; the outside of the grid counts as zero.
__global__ void residualTiled(int w, int h, const float* u, const float* f, float* r) {
  __shared__ float s[10][18];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  bool inside = x < w && y < h;
  s[ty][tx] = inside ? u[y * w + x] : 0.0f;
  if (threadIdx.x == 0) s[ty][0] = x > 0 && y < h ? u[y * w + x - 1] : 0.0f;
  if (threadIdx.x == 15) s[ty][17] = x + 1 < w && y < h ? u[y * w + x + 1] : 0.0f;
  if (threadIdx.y == 0) s[0][tx] = y > 0 && x < w ? u[(y - 1) * w + x] : 0.0f;
  if (threadIdx.y == 7) s[9][tx] = y + 1 < h && x < w ? u[(y + 1) * w + x] : 0.0f;
  __syncthreads();
  if (inside)
    r[y * w + x] =
        f[y * w + x] - (4.0f * s[ty][tx] - s[ty][tx - 1] - s[ty][tx + 1] - s[ty - 1][tx] - s[ty + 1][tx]);
}

// Four entries a row, stored by columns; short rows are filled with zeros.
__global__ void ellProduct(int n, const int* cols, const float* vals, const float* x, float* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < WIDTH; k++) sum += vals[k * n + row] * x[cols[k * n + row]];
  y[row] = sum;
}

__global__ void ellRowMajor(int n, int pitch, const int* cols, const double* vals, const double* x,
                            double* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    y[row] = 0.0;
    for (int k = 0; k < pitch; k++) y[row] += vals[row * pitch + k] * x[cols[row * pitch + k]];
  }
}

// Diagonals -1, 0 and 1.
__global__ void diaThree(int n, const float* dia, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = dia[n + i] * x[i];
  if (i > 0) sum += dia[i] * x[i - 1];
  if (i < n - 1) sum += dia[2 * n + i] * x[i + 1];
  y[i] = sum;
}

// All diagonals of a band of the given half width.
__global__ void diaBand(int n, int half, const float* dia, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int d = 0; d <= 2 * half; d++) {
    int j = i + d - half;
    if (j >= 0 && j < n) sum += dia[d * n + i] * x[j];
  }
  y[i] = sum;
}

// One system of at most 128 unknowns a block.
__global__ void cyclicReduction(int n, const float* lower, const float* diag, const float* upper,
                                const float* rhs, float* x) {
  __shared__ float a[128], b[128], c[128], d[128];
  int i = threadIdx.x;
  int at = blockIdx.x * n + i;
  if (i < n) {
    a[i] = i > 0 ? lower[at] : 0.0f;
    b[i] = diag[at];
    c[i] = i < n - 1 ? upper[at] : 0.0f;
    d[i] = rhs[at];
  }
  __syncthreads();
  for (int s = 1; s < n; s *= 2) {
    float na = 0.0f, nb = 1.0f, nc = 0.0f, nd = 0.0f;
    if (i < n) {
      nb = b[i];
      nd = d[i];
      if (i - s >= 0) {
        float f = a[i] / b[i - s];
        na = -f * a[i - s];
        nb -= f * c[i - s];
        nd -= f * d[i - s];
      }
      if (i + s < n) {
        float g = c[i] / b[i + s];
        nc = -g * c[i + s];
        nb -= g * a[i + s];
        nd -= g * d[i + s];
      }
    }
    __syncthreads();
    if (i < n) {
      a[i] = na;
      b[i] = nb;
      c[i] = nc;
      d[i] = nd;
    }
    __syncthreads();
  }
  if (i < n) x[at] = d[i] / b[i];
}

// One thread a system; the systems are interleaved.
__global__ void tridiagonalBatch(int n, int count, const float* lower, const float* diag, const float* upper,
                                 float* cp, float* x) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  cp[t] = upper[t] / diag[t];
  x[t] = x[t] / diag[t];
  for (int i = 1; i < n; i++) {
    int at = i * count + t;
    float m = 1.0f / (diag[at] - lower[at] * cp[at - count]);
    cp[at] = upper[at] * m;
    x[at] = (x[at] - lower[at] * x[at - count]) * m;
  }
  for (int i = n - 2; i >= 0; i--) x[i * count + t] -= cp[i * count + t] * x[(i + 1) * count + t];
}
