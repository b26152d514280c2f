// Products of matrices and transposes, naive and tiled: gemm in three forms, symmetric rank-k updates, a triangular
// product, batches of small matrices, and transposes with and without padding.
#define TILE 16

__global__ void gemmNaive(int m, int n, int k, float alpha, const float* A, const float* B, float beta,
                          float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) {
    C[i * n + j] *= beta;
    for (int l = 0; l < k; l++) C[i * n + j] += alpha * A[i * k + l] * B[l * n + j];
  }
}

__global__ void gemmTiled(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
    As[ty][tx] = row < m && t * TILE + tx < k ? A[row * k + t * TILE + tx] : 0.0f;
    Bs[ty][tx] = t * TILE + ty < k && col < n ? B[(t * TILE + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int l = 0; l < TILE; l++) sum += As[ty][l] * Bs[l][tx];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = sum;
}

// The next pair of tiles is loaded while the present one is used.
__global__ void gemmDoubleBuffered(int m, int n, int k, const float* A, const float* B, float* C) {
  __shared__ float As[2][TILE][TILE];
  __shared__ float Bs[2][TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  int tiles = (k + TILE - 1) / TILE;
  As[0][ty][tx] = row < m && tx < k ? A[row * k + tx] : 0.0f;
  Bs[0][ty][tx] = ty < k && col < n ? B[ty * n + col] : 0.0f;
  float sum = 0.0f;
  for (int t = 0; t < tiles; t++) {
    int cur = t % 2;
    __syncthreads();
    if (t + 1 < tiles) {
      int l = (t + 1) * TILE;
      As[1 - cur][ty][tx] = row < m && l + tx < k ? A[row * k + l + tx] : 0.0f;
      Bs[1 - cur][ty][tx] = l + ty < k && col < n ? B[(l + ty) * n + col] : 0.0f;
    }
    for (int l = 0; l < TILE; l++) sum += As[cur][ty][l] * Bs[cur][l][tx];
  }
  if (row < m && col < n) C[row * n + col] = sum;
}

__global__ void syrk(int n, int k, float alpha, float beta, const float* A, float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j <= i) {
    float sum = beta * C[i * n + j];
    for (int l = 0; l < k; l++) sum += alpha * A[i * k + l] * A[j * k + l];
    C[i * n + j] = sum;
  }
}

__global__ void syr2k(int n, int k, float alpha, float beta, const float* A, const float* B, float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    C[i * n + j] *= beta;
    for (int l = 0; l < k; l++)
      C[i * n + j] += alpha * A[i * k + l] * B[j * k + l] + alpha * B[i * k + l] * A[j * k + l];
  }
}

// C = L B with a lower triangular L.
__global__ void trmm(int n, int m, float alpha, const float* L, const float* B, float* C) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  float sum = 0.0f;
  for (int l = 0; l <= i; l++) sum += L[i * n + l] * B[l * m + j];
  C[i * m + j] = alpha * sum;
}

// One thread multiplies a pair of 3x3 matrices.
__global__ void batched3x3(int count, const float* A, const float* B, float* C) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= count) return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[b * 9 + i * 3 + j] = A[b * 9 + i * 3] * B[b * 9 + j] + A[b * 9 + i * 3 + 1] * B[b * 9 + 3 + j] +
                             A[b * 9 + i * 3 + 2] * B[b * 9 + 6 + j];
}

// One block a pair of s x s matrices, one thread an element.
__global__ void batchedBlocks(int s, const double* A, const double* B, double* C) {
  __shared__ double a[8][8];
  __shared__ double b[8][9];
  int x = threadIdx.x, y = threadIdx.y;
  int base = blockIdx.x * s * s;
  if (x < s && y < s) {
    a[y][x] = A[base + y * s + x];
    b[y][x] = B[base + y * s + x];
  }
  __syncthreads();
  if (x < s && y < s) {
    double sum = 0.0;
    for (int l = 0; l < s; l++) sum += a[y][l] * b[l][x];
    C[base + y * s + x] = sum;
  }
}

__global__ void transposeNaive(int w, int h, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

__global__ void transposeTile(int w, int h, const float* in, float* out) {
  __shared__ float tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  int u = blockIdx.y * TILE + threadIdx.x;
  int v = blockIdx.x * TILE + threadIdx.y;
  if (u < h && v < w) out[v * h + u] = tile[threadIdx.x][threadIdx.y];
}

// A stack of matrices, rows of a given pitch, four rows a thread.
__global__ void transposePadded(int w, int h, int pitchIn, int pitchOut, const double* in, double* out) {
  __shared__ double tile[32][33];
  int z = blockIdx.z;
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8)
    if (x < w && y + r < h) tile[threadIdx.y + r][threadIdx.x] = in[(z * h + y + r) * pitchIn + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int r = 0; r < 32; r += 8)
    if (x < h && y + r < w) out[(z * w + y + r) * pitchOut + x] = tile[threadIdx.x][threadIdx.y + r];
}
