// A product with tiles, as written by hand: ragged edges are zeros.
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* c, int m, int n, int k) {
  __shared__ float a_tile[16][16];
  __shared__ float b_tile[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += 16) {
    a_tile[ty][tx] = y < m && i0 + tx < k ? a[y * k + i0 + tx] : 0.0f;
    if (i0 + ty < k && x < n)
      b_tile[ty][tx] = b[(i0 + ty) * n + x];
    else
      b_tile[ty][tx] = 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += a_tile[ty][i] * b_tile[i][tx];
    __syncthreads();
  }
  if (y < m && x < n) c[y * n + x] = sum;
}

// The barrier against the iteration before stands first; two variables in the header; a tile filled by a loop that not all threads do as often.
__global__ void windows(const double* __restrict__ a, double* o, int n, int iterations) {
  __shared__ double t[80];
  int x = blockIdx.x * 64 + threadIdx.x;
  double sum = 0.0;
  for (int r = 0, base = blockIdx.x * 64; r < iterations; ++r, base += 7) {
    __syncthreads();
    for (int e = threadIdx.x; e < 80; e += 64)
      if (base + e < n) t[e] = a[base + e];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      if (base + (int)threadIdx.x + k < n) sum += t[threadIdx.x + k];
  }
  if (x < n) o[x] = sum;
}

// A loop inside another: the first tile is fetched again for each row.
__global__ void rows(const float* __restrict__ a, const float* __restrict__ v, float* o, int h, int w) {
  __shared__ float t[64];
  for (int y = blockIdx.x; y < h; y += gridDim.x) {
    float sum = 0.0f;
    for (int i0 = 0; i0 < w; i0 += 64) {
      int i = i0 + threadIdx.x;
      if (i < w) t[threadIdx.x] = a[y * w + i] * v[i];
      __syncthreads();
      if (threadIdx.x == 0)
        for (int k = 0; k < 64 && i0 + k < w; ++k) sum += t[k];
      __syncthreads();
    }
    if (threadIdx.x == 0) o[y] = sum;
  }
}

// What is loaded may be what is stored.
__global__ void shifted(const float* a, float* b, int n) {
  __shared__ float t[64];
  for (int i0 = 0; i0 < n; i0 += 64) {
    int tx = threadIdx.x, i = i0 + tx;
    if (i < n) t[tx] = a[i];
    __syncthreads();
    if (i < n && blockIdx.x == 0) b[i] = t[tx] + t[0];
    __syncthreads();
  }
}

// The tiles are declared in the loop, which counts bytes of two matrices.
__global__ void declared(float* c, const float* a, const float* b, int wa, int wb) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int first = wa * 16 * blockIdx.y, last = first + wa - 1;
  float sum = 0.0f;
  for (int i = first, j = 16 * blockIdx.x; i <= last; i += 16, j += 16 * wb) {
    __shared__ float s[16][16];
    __shared__ float t[16][16];
    s[ty][tx] = a[i + wa * ty + tx];
    t[ty][tx] = b[j + wb * ty + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += s[ty][k] * t[k][tx];
    __syncthreads();
  }
  c[(16 * blockIdx.y + ty) * wb + 16 * blockIdx.x + tx] = sum;
}

int main() {
  declared<<<dim3(2, 3), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 64, 32);
  product<<<dim3(3, 3), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 37, 41, 53);
  windows<<<5, 64>>>(nullptr, nullptr, 300, 5);
  rows<<<3, 64>>>(nullptr, nullptr, nullptr, 7, 200);
  shifted<<<2, 64>>>(nullptr, nullptr, 400);
}
