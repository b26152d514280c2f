// Image filters with constant coefficients: 3x3 neighbourhoods with a border, separable rows and columns
// through shared tiles with a halo, the least and greatest of a neighbourhood, a pyramid step and the row
// scan of an integral image.
constexpr int kRadius = 4;
constexpr int kRowBlock = 32;
constexpr int kColumnBlock = 16;

__global__ void box3x3(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += in[(y + dy) * w + (x + dx)];
  out[y * w + x] = sum * (1.0f / 9.0f);
}

__global__ void sobel(const float* in, float* gradX, float* gradY, float* magnitude, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    float a = in[(y - 1) * w + x - 1], b = in[(y - 1) * w + x], c = in[(y - 1) * w + x + 1];
    float d = in[y * w + x - 1], f = in[y * w + x + 1];
    float g = in[(y + 1) * w + x - 1], k = in[(y + 1) * w + x], m = in[(y + 1) * w + x + 1];
    float gx = (c + 2.0f * f + m) - (a + 2.0f * d + g);
    float gy = (g + 2.0f * k + m) - (a + 2.0f * b + c);
    gradX[y * w + x] = gx;
    gradY[y * w + x] = gy;
    magnitude[y * w + x] = sqrtf(gx * gx + gy * gy);
  }
}

// The image has a border of one pixel on each side, so that no neighbour needs a guard.
__global__ void gauss3x3Padded(const float* padded, float* out, int w, int h, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int at = (y + 1) * pitch + (x + 1);
  float corners =
      padded[at - pitch - 1] + padded[at - pitch + 1] + padded[at + pitch - 1] + padded[at + pitch + 1];
  float sides = padded[at - pitch] + padded[at - 1] + padded[at + 1] + padded[at + pitch];
  out[y * w + x] = 0.0625f * corners + 0.125f * sides + 0.25f * padded[at];
}

__global__ void convolveRows(const float* in, const float* taps, float* out, int w, int h) {
  __shared__ float tile[4][kRowBlock + 2 * kRadius];
  int x0 = blockIdx.x * kRowBlock;
  int y = blockIdx.y * 4 + threadIdx.y;
  for (int i = threadIdx.x; i < kRowBlock + 2 * kRadius; i += kRowBlock) {
    int x = x0 + i - kRadius;
    tile[threadIdx.y][i] = (y < h && x >= 0 && x < w) ? in[y * w + x] : 0.0f;
  }
  __syncthreads();
  int x = x0 + threadIdx.x;
  if (x < w && y < h) {
    float sum = 0.0f;
    for (int k = -kRadius; k <= kRadius; ++k)
      sum += taps[kRadius + k] * tile[threadIdx.y][threadIdx.x + kRadius + k];
    out[y * w + x] = sum;
  }
}

__global__ void convolveColumns(const float* in, const float* taps, float* out, int w, int h) {
  __shared__ float tile[kColumnBlock + 2 * kRadius][8];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 8 + tx;
  int y = blockIdx.y * kColumnBlock + ty;
  tile[ty + kRadius][tx] = (x < w && y < h) ? in[y * w + x] : 0.0f;
  if (ty < kRadius) {
    int above = y - kRadius, below = y + kColumnBlock;
    tile[ty][tx] = (x < w && above >= 0 && above < h) ? in[above * w + x] : 0.0f;
    tile[ty + kRadius + kColumnBlock][tx] = (x < w && below < h) ? in[below * w + x] : 0.0f;
  }
  __syncthreads();
  if (x >= w || y >= h) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k <= 2 * kRadius; ++k) sum += taps[k] * tile[ty + k][tx];
  out[y * w + x] = sum;
}

__global__ void erodeDilate(const unsigned char* in, unsigned char* eroded, unsigned char* dilated, int w,
                            int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int least = 255, greatest = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    int yy = min(max(y + dy, 0), h - 1);
    for (int dx = -1; dx <= 1; ++dx) {
      int xx = min(max(x + dx, 0), w - 1);
      int v = in[yy * w + xx];
      least = min(least, v);
      greatest = max(greatest, v);
    }
  }
  eroded[y * w + x] = (unsigned char)least;
  dilated[y * w + x] = (unsigned char)greatest;
}

__global__ void pyramidDown(const float* fine, float* coarse, int cw, int ch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cw || y >= ch) return;
  int fw = 2 * cw;
  float top = fine[2 * y * fw + 2 * x] + fine[2 * y * fw + 2 * x + 1];
  float bottom = fine[(2 * y + 1) * fw + 2 * x] + fine[(2 * y + 1) * fw + 2 * x + 1];
  coarse[y * cw + x] = 0.25f * (top + bottom);
}

// One block scans one row, 64 pixels at a time, and carries the sum along.
__global__ void integralRows(const int* in, int* sums, int w) {
  __shared__ int buf[2][64];
  int t = threadIdx.x;
  int row = blockIdx.x * w;
  int carry = 0;
  for (int x0 = 0; x0 < w; x0 += 64) {
    int x = x0 + t;
    int from = 0;
    buf[0][t] = x < w ? in[row + x] : 0;
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
      int v = buf[from][t];
      if (t >= step) v += buf[from][t - step];
      buf[1 - from][t] = v;
      from = 1 - from;
      __syncthreads();
    }
    if (x < w) sums[row + x] = carry + buf[from][t];
    carry += buf[from][63];
    __syncthreads();
  }
}

__global__ void integralColumns(int* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  for (int y = 1; y < h; ++y) sums[y * w + x] += sums[(y - 1) * w + x];
}
