// Layers of convolutional networks over NCHW and NHWC arrays: direct and depthwise convolution, pooling,
// im2col and its gathering inverse, normalization with known statistics, changes of layout, concatenation
// and slices.
__global__ void conv2dDirect(const float* in, const float* weight, const float* bias, float* out, int C,
                             int H, int W, int K) {
  int OH = H - 2, OW = W - 2;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.z / K, k = blockIdx.z % K;
  if (x >= OW || y >= OH) return;
  float sum = bias[k];
  for (int c = 0; c < C; ++c)
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s)
        sum += in[((n * C + c) * H + y + r) * W + x + s] * weight[((k * C + c) * 3 + r) * 3 + s];
  out[((n * K + k) * OH + y) * OW + x] = sum;
}

__global__ void depthwiseSame(const float* in, const float* weight, float* out, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (x >= W || y >= H) return;
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r) {
    int yy = y + r - 1;
    for (int s = 0; s < 3; ++s) {
      int xx = x + s - 1;
      if (yy >= 0 && yy < H && xx >= 0 && xx < W)
        sum += in[(c * H + yy) * W + xx] * weight[c * 9 + r * 3 + s];
    }
  }
  out[(c * H + y) * W + x] = sum;
}

__global__ void maxPool2x2(const float* in, float* out, int OH, int OW) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (x >= OW || y >= OH) return;
  int W = 2 * OW, H = 2 * OH;
  int base = c * H * W + 2 * y * W + 2 * x;
  float upper = fmaxf(in[base], in[base + 1]);
  float lower = fmaxf(in[base + W], in[base + W + 1]);
  out[c * OH * OW + y * OW + x] = fmaxf(upper, lower);
}

__global__ void averagePool(const float* in, float* out, int H, int W, int OH, int OW, int size, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (x >= OW || y >= OH) return;
  int y0 = y * stride, x0 = x * stride;
  int y1 = min(y0 + size, H), x1 = min(x0 + size, W);
  float sum = 0.0f;
  for (int yy = y0; yy < y1; ++yy)
    for (int xx = x0; xx < x1; ++xx) sum += in[(c * H + yy) * W + xx];
  out[(c * OH + y) * OW + x] = sum / (size * size);
}

__global__ void im2col(const float* image, float* columns, int C, int H, int W) {
  int OH = H - 2, OW = W - 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= C * OH * OW) return;
  int x = i % OW, y = i / OW % OH, c = i / (OW * OH);
  for (int r = 0; r < 3; ++r)
    for (int s = 0; s < 3; ++s)
      columns[((c * 3 + r) * 3 + s) * (OH * OW) + y * OW + x] = image[(c * H + y + r) * W + x + s];
}

__global__ void col2imGather(const float* columns, float* image, int H, int W) {
  int OH = H - 2, OW = W - 2;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int c = blockIdx.z;
  if (x >= W || y >= H) return;
  float sum = 0.0f;
  for (int r = 0; r < 3; ++r)
    for (int s = 0; s < 3; ++s) {
      int oy = y - r, ox = x - s;
      if (oy >= 0 && oy < OH && ox >= 0 && ox < OW) sum += columns[((c * 9 + r * 3 + s) * OH + oy) * OW + ox];
    }
  image[(c * H + y) * W + x] = sum;
}

__global__ void batchNormRelu(float* data, const float* mean, const float* variance, const float* gamma,
                              const float* beta, int C, int area) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y, n = blockIdx.z;
  if (i >= area) return;
  float scale = gamma[c] / sqrtf(variance[c] + 1e-5f);
  float shift = beta[c] - mean[c] * scale;
  int at = (n * C + c) * area + i;
  data[at] = fmaxf(data[at] * scale + shift, 0.0f);
}

__global__ void biasActivation(const float* in, const float* bias, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) {
    float v = in[row * cols + col] + bias[col];
    out[row * cols + col] = v / (1.0f + expf(-v));
  }
}

__global__ void nchwToNhwc(const float* in, float* out, int C, int H, int W) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  int h = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.z;
  if (w >= W || h >= H) return;
  for (int c = 0; c < C; ++c) out[((n * H + h) * W + w) * C + c] = in[((n * C + c) * H + h) * W + w];
}

__global__ void nhwcToNchwTiled(const float* in, float* out, int C, int area) {
  __shared__ float tile[16][17];
  int n = blockIdx.z;
  int c = blockIdx.x * 16 + threadIdx.x;
  int p = blockIdx.y * 16 + threadIdx.y;
  if (c < C && p < area) tile[threadIdx.y][threadIdx.x] = in[(n * area + p) * C + c];
  __syncthreads();
  c = blockIdx.x * 16 + threadIdx.y;
  p = blockIdx.y * 16 + threadIdx.x;
  if (c < C && p < area) out[(n * C + c) * area + p] = tile[threadIdx.x][threadIdx.y];
}

__global__ void concatColumns(const float* a, const float* b, float* out, int rows, int colsA, int colsB) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int cols = colsA + colsB;
  if (row >= rows || col >= cols) return;
  if (col < colsA)
    out[row * cols + col] = a[row * colsA + col];
  else
    out[row * cols + col] = b[row * colsB + (col - colsA)];
}

__global__ void sliceColumns(const float* in, float* out, int rows, int cols, int first, int count) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < count && first + col < cols) out[row * count + col] = in[row * cols + first + col];
}
