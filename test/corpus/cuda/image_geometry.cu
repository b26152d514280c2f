// Pixels moved and converted: mirror, quarter turn, bilinear resize with clamped neighbours, colours
// interleaved, in planes and in vectors, and the 2x2 cells of a colour filter.
constexpr int kTurn = 16;

__global__ void mirror(const float* in, float* flippedX, float* flippedY, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    flippedX[y * w + x] = in[y * w + (w - 1 - x)];
    flippedY[y * w + x] = in[(h - 1 - y) * w + x];
  }
}

__global__ void mirrorInPlace(int* image, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w / 2 && y < h) {
    int left = image[y * w + x];
    image[y * w + x] = image[y * w + w - 1 - x];
    image[y * w + w - 1 - x] = left;
  }
}

__global__ void rotate90(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + (h - 1 - y)] = in[y * w + x];
}

__global__ void rotate90Tiled(const float* in, float* out, int w, int h) {
  __shared__ float tile[kTurn][kTurn + 1];
  int x = blockIdx.x * kTurn + threadIdx.x;
  int y = blockIdx.y * kTurn + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  int sx = blockIdx.x * kTurn + threadIdx.y;
  int sy = blockIdx.y * kTurn + threadIdx.x;
  if (sx < w && sy < h) out[sx * h + h - 1 - sy] = tile[threadIdx.x][threadIdx.y];
}

__global__ void resizeBilinear(const float* src, float* dst, int sw, int sh, int dw, int dh) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dw || y >= dh) return;
  float fx = (x + 0.5f) * sw / dw - 0.5f;
  float fy = (y + 0.5f) * sh / dh - 0.5f;
  int ix = (int)floorf(fx), iy = (int)floorf(fy);
  float ax = fx - ix, ay = fy - iy;
  int x0 = max(min(ix, sw - 1), 0), x1 = max(min(ix + 1, sw - 1), 0);
  int y0 = max(min(iy, sh - 1), 0), y1 = max(min(iy + 1, sh - 1), 0);
  float top = (1.0f - ax) * src[y0 * sw + x0] + ax * src[y0 * sw + x1];
  float bottom = (1.0f - ax) * src[y1 * sw + x0] + ax * src[y1 * sw + x1];
  dst[y * dw + x] = (1.0f - ay) * top + ay * bottom;
}

// Twice as wide and high, with weights that are known beforehand.
__global__ void upsample2x(const float* src, float* dst, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int right = min(x + 1, w - 1), down = min(y + 1, h - 1);
  float a = src[y * w + x], b = src[y * w + right], c = src[down * w + x], d = src[down * w + right];
  int pitch = 2 * w;
  dst[2 * y * pitch + 2 * x] = a;
  dst[2 * y * pitch + 2 * x + 1] = 0.5f * (a + b);
  dst[(2 * y + 1) * pitch + 2 * x] = 0.5f * (a + c);
  dst[(2 * y + 1) * pitch + 2 * x + 1] = 0.25f * (a + b + c + d);
}

__global__ void grayFromRgb(const unsigned char* rgb, unsigned char* gray, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int at = 3 * (y * w + x);
  int sum = 77 * rgb[at] + 150 * rgb[at + 1] + 29 * rgb[at + 2];
  gray[y * w + x] = (unsigned char)(sum >> 8);
}

__global__ void planesFromRgb(const unsigned char* rgb, float* planes, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  float r = rgb[3 * i + 0] / 255.0f, g = rgb[3 * i + 1] / 255.0f, b = rgb[3 * i + 2] / 255.0f;
  planes[i] = 0.299f * r + 0.587f * g + 0.114f * b;
  planes[pixels + i] = 0.5f * b - 0.168736f * r - 0.331264f * g;
  planes[2 * pixels + i] = 0.5f * r - 0.418688f * g - 0.081312f * b;
}

__global__ void sepia(const float4* in, float4* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float4 p = in[y * w + x];
    float tone = 0.3f * p.x + 0.59f * p.y + 0.11f * p.z;
    out[y * w + x] = make_float4(tone + 0.2f * p.w, tone + 0.1f * p.w, tone, p.w);
  }
}

// Rows of a constant pitch; the alpha byte stays.
__global__ void swapRedBlue(uchar4* image, int w, int h) {
  const int pitch = 64;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uchar4 p = image[y * pitch + x];
  image[y * pitch + x] = make_uchar4(p.z, p.y, p.x, p.w);
}

// Each thread serves one cell: red and green above, green and blue below.
__global__ void demosaicCells(const unsigned short* raw, float* red, float* green, float* blue, int cellsX,
                              int cellsY) {
  int cx = blockIdx.x * blockDim.x + threadIdx.x;
  int cy = blockIdx.y * blockDim.y + threadIdx.y;
  if (cx >= cellsX || cy >= cellsY) return;
  int pitch = 2 * cellsX;
  int top = 2 * cy * pitch + 2 * cx, bottom = top + pitch;
  float r = raw[top], g0 = raw[top + 1], g1 = raw[bottom], b = raw[bottom + 1];
  float g = 0.5f * (g0 + g1);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      red[top + j * pitch + i] = r;
      blue[top + j * pitch + i] = b;
    }
  green[top] = g;
  green[top + 1] = g0;
  green[bottom] = g1;
  green[bottom + 1] = g;
}
