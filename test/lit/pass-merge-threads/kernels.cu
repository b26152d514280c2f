// Each thread does the work of several: all of these leave what the original leaves, at sizes and grids that do not divide.
// RUN: %hone verify %s --recipe 'merge-threads(x=2)'
// RUN: %hone verify %s --recipe 'merge-threads(x=3, y=2)'
// RUN: %hone verify %s --recipe 'merge-threads(y=4)'
// RUN: %hone verify %s --recipe 'merge-threads(x=2, how=adjacent)'
// RUN: %hone verify %s --recipe 'merge-threads(x=4, how=strided)'
// RUN: %hone verify %s --recipe 'merge-threads(x=2, how=adjacent) merge-threads(x=2, y=2)'

#pragma hone set(w=37) grid(3, 3) block(16, 16)
__global__ void matmul(const float* a, const float* b, float* c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += a[y * w + i] * b[i * w + x];
    c[y * w + x] = sum;
  }
}

// An early return, and a grid that is too small for the array.
#pragma hone set(n=1000) grid(5) block(64)
__global__ void early(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = in[i];
  if (v < 0) {
    out[i] = -v;
    return;
  }
  out[i] = v * 2;
}

#pragma hone set(n=90) grid(3, 2) block(32, 2)
__global__ void rowSums(const int* m, long long* sums, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || blockIdx.y * blockDim.y + threadIdx.y > 0) return;
  long long sum = 0;
  for (int j = 0; j < n; ++j) sum += m[row * n + j];
  sums[row] = sum;
}

#pragma hone set(w=61, h=35) grid(4, 5) block(16, 8)
__global__ void blur(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= 1 && x < w - 1 && y >= 1 && y < h - 1) {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) sum += in[(y + dy) * w + x + dx];
    out[y * w + x] = sum / 9;
  }
}

// The bound of the loop differs between threads along y.
#pragma hone set(n=45) grid(3, 3) block(16, 16)
__global__ void triangular(const float* a, const float* x, float* out, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < n && row < n) {
    float sum = 0;
    for (int k = 0; k <= row; ++k) sum += a[row * n + k] * x[k * n + col];
    out[row * n + col] = sum;
  }
}

// Which way an if goes depends on data.
#pragma hone set(w=50, h=21) grid(4, 3) block(16, 8)
__global__ void choose(const float* a, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float best = a[y * w + x];
    for (int k = 0; k < w; ++k) {
      float v = a[y * w + k];
      if (v > best && k != x) best = v;
      else if (v < -1) best += 0.5f;
    }
    out[y * w + x] = best;
  }
}

#pragma hone set(w=33, h=9, d=5) grid(3, 3, 3) block(16, 4, 2)
__global__ void volume(const float* in, float* out, int w, int h, int d) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
  if (x >= w || y >= h || z >= d) return;
  size_t i = (size_t(z) * h + y) * w + x;
  float v = in[i];
  if (x > 0) v += in[i - 1];
  if (z > 0) v += in[i - size_t(h) * w];
  out[i] = v;
}

#pragma hone set(n=1000) grid(5) block(64) length(bins=16) 
__global__ void histogram(const int* values, int* bins, int n) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[values[i] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

#pragma hone set(w=45) grid(3, 3) block(16, 16)
__global__ void tiled(const float* a, const float* b, float* c, int w) {
  __shared__ float at[16][16], bt[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int i = 0; i < w; i += 16) {
    at[ty][tx] = y < w && i + tx < w ? a[y * w + i + tx] : 0;
    bt[ty][tx] = i + ty < w && x < w ? b[(i + ty) * w + x] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += at[ty][k] * bt[k][tx];
    __syncthreads();
  }
  if (x < w && y < w) c[y * w + x] = sum;
}

#pragma hone set(w=70, h=45) grid(3, 6) block(32, 8)
__global__ void transpose(const float* in, float* out, int w, int h) {
  __shared__ float tile[8][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  int thread = threadIdx.y * 32 + threadIdx.x;
  int tx = thread / 8, ty = thread % 8;
  x = blockIdx.x * 32 + tx;
  y = blockIdx.y * 8 + ty;
  if (x < w && y < h) out[x * h + y] = tile[ty][tx];
}

#pragma hone set(n=300) grid(7) block(64)
__global__ void blockSums(const float* in, float* sums, int n) {
  __shared__ float part[64];
  unsigned i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// A stride made of the grid.
#pragma hone set(n=1001) grid(5) block(32)
__global__ void strided(const short* in, short* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] + i;
}

struct Pair { float re, im; };

#pragma hone set(w=40, h=13) grid(3, 2) block(16, 8)
__global__ void scaleRows(const Pair* in, const float2* factors, Pair* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= h) return;
  float2 f = factors[y];
  if (x < w) {
    Pair p = in[y * w + x];
    out[y * w + x].re = p.re * f.x - p.im * f.y;
    out[y * w + x].im = p.re * f.y + p.im * f.x;
  }
}

// Loops that are left early, arrays of the thread's own, a switch.
#pragma hone set(n=77) grid(3, 2) block(32, 1)
__global__ void mixed(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || blockIdx.y > 0) return;
  int recent[4] = {1, 2};
  int steps = 0;
  for (int k = 0; k < n; ++k) {
    if (in[(i + k) % n] == 3) break;
    if (k % 3 == 1) continue;
    recent[k % 4] += in[(i + k) % n];
    ++steps;
  }
  switch (steps % 3) {
    case 0: out[i] = recent[0]; break;
    case 1: out[i] = recent[1] - recent[2];
    default: out[i] += recent[3];
  }
}

// Parameters that are changed on the way.
#pragma hone set(m=33, n=7, lda=9) grid(2) block(32)
__global__ void walk(const double* a, const double* x, double* y, int lda, int m, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= m) return;
  a += (long)r * lda;
  double s = 0;
  for (int c = 0; c < n; c++, a++) s += *a * x[c];
  y[r] = s;
}
