// Steps of transformer models: normalization and softmax of rows with block reductions, scores and mixes of
// attention, positions, rows of bytes with a scale, and the update of weights.
constexpr int kThreads = 64;
constexpr int kScoreTile = 8;

__global__ void layerNorm(const float* in, const float* gamma, const float* beta, float* out, int width) {
  __shared__ float sums[kThreads];
  __shared__ float squares[kThreads];
  int t = threadIdx.x, row = blockIdx.x;
  float sum = 0.0f, square = 0.0f;
  for (int i = t; i < width; i += kThreads) {
    float v = in[row * width + i];
    sum += v;
    square += v * v;
  }
  sums[t] = sum;
  squares[t] = square;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
      squares[t] += squares[t + half];
    }
    __syncthreads();
  }
  float mean = sums[0] / width;
  float variance = fmaxf(squares[0] / width - mean * mean, 0.0f);
  float scale = 1.0f / sqrtf(variance + 1e-5f);
  for (int i = t; i < width; i += kThreads)
    out[row * width + i] = (in[row * width + i] - mean) * scale * gamma[i] + beta[i];
}

__global__ void softmaxRows(const float* in, float* out, int width) {
  __shared__ float shared[kThreads];
  int t = threadIdx.x;
  const float* rowIn = in + blockIdx.x * width;
  float* rowOut = out + blockIdx.x * width;
  float greatest = -1e30f;
  for (int i = t; i < width; i += blockDim.x) greatest = fmaxf(greatest, rowIn[i]);
  shared[t] = greatest;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) shared[t] = fmaxf(shared[t], shared[t + s]);
    __syncthreads();
  }
  greatest = shared[0];
  __syncthreads();
  float sum = 0.0f;
  for (int i = t; i < width; i += blockDim.x) {
    float e = expf(rowIn[i] - greatest);
    rowOut[i] = e;
    sum += e;
  }
  shared[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) shared[t] += shared[t + s];
    __syncthreads();
  }
  float inverse = 1.0f / shared[0];
  for (int i = t; i < width; i += blockDim.x) rowOut[i] *= inverse;
}

__global__ void attentionScores(const float* q, const float* k, float* scores, int length, int dim,
                                float scale) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int head = blockIdx.z;
  if (row >= length || col >= length) return;
  float dot = 0.0f;
  for (int d = 0; d < dim; ++d)
    dot += q[(head * length + row) * dim + d] * k[(head * length + col) * dim + d];
  scores[(head * length + row) * length + col] = dot * scale;
}

__global__ void attentionScoresTiled(const float* q, const float* k, float* scores, int length, int dim) {
  __shared__ float qs[kScoreTile][kScoreTile];
  __shared__ float ks[kScoreTile][kScoreTile + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kScoreTile + ty;
  int col = blockIdx.x * kScoreTile + tx;
  int keyRow = blockIdx.x * kScoreTile + ty;
  int base = blockIdx.z * length * dim;
  float dot = 0.0f;
  for (int d0 = 0; d0 < dim; d0 += kScoreTile) {
    qs[ty][tx] = (row < length && d0 + tx < dim) ? q[base + row * dim + d0 + tx] : 0.0f;
    ks[ty][tx] = (keyRow < length && d0 + tx < dim) ? k[base + keyRow * dim + d0 + tx] : 0.0f;
    __syncthreads();
    for (int d = 0; d < kScoreTile; ++d) dot += qs[ty][d] * ks[tx][d];
    __syncthreads();
  }
  if (row < length && col < length) scores[blockIdx.z * length * length + row * length + col] = dot;
}

// Heads are interleaved here: [length][heads][dim].
__global__ void attentionMix(const float* weights, const float* v, float* out, int length, int heads,
                             int dim) {
  int d = threadIdx.x;
  int row = blockIdx.x, head = blockIdx.y;
  if (d >= dim) return;
  float sum = 0.0f;
  for (int j = 0; j < length; ++j)
    sum += weights[(head * length + row) * length + j] * v[(j * heads + head) * dim + d];
  out[(row * heads + head) * dim + d] = sum;
}

__global__ void rotaryPairs(float* x, const float* cosines, const float* sines, int length, int heads,
                            int pairs) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int head = blockIdx.y;
  int position = blockIdx.z;
  if (p >= pairs || position >= length) return;
  int at = (position * heads + head) * 2 * pairs + 2 * p;
  float c = cosines[position * pairs + p], s = sines[position * pairs + p];
  float a = x[at], b = x[at + 1];
  x[at] = a * c - b * s;
  x[at + 1] = a * s + b * c;
}

// The partner of an element lies half a row further.
__global__ void rotaryHalves(float* x, const float* angles, int rows, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= half || row >= rows) return;
  float c = cosf(angles[row * half + i]), s = sinf(angles[row * half + i]);
  float a = x[row * 2 * half + i], b = x[row * 2 * half + half + i];
  x[row * 2 * half + i] = a * c - b * s;
  x[row * 2 * half + half + i] = b * c + a * s;
}

__global__ void addPositions(float* tokens, const float* table, int batch, int length, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int position = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= width || position >= length) return;
  float add = table[position * width + i];
  for (int b = 0; b < batch; ++b) tokens[(b * length + position) * width + i] += add;
}

__global__ void quantizeRows(const float* in, signed char* out, float* scales, int width) {
  __shared__ float greatest[kThreads];
  int t = threadIdx.x, row = blockIdx.x;
  float m = 0.0f;
  for (int i = t; i < width; i += kThreads) m = fmaxf(m, fabsf(in[row * width + i]));
  greatest[t] = m;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) greatest[t] = fmaxf(greatest[t], greatest[t + half]);
    __syncthreads();
  }
  float scale = fmaxf(greatest[0], 1e-8f) / 127.0f;
  if (t == 0) scales[row] = scale;
  for (int i = t; i < width; i += kThreads)
    out[row * width + i] = (signed char)rintf(in[row * width + i] / scale);
}

__global__ void dequantizeRows(const signed char* in, const float* scales, float* out, int rows, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && i < width) out[row * width + i] = in[row * width + i] * scales[row];
}

__global__ void adamStep(float* weight, const float* grad, float* first, float* second, int n, float rate,
                         float bias1, float bias2) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    float g = grad[i];
    float m = 0.9f * first[i] + 0.1f * g;
    float v = 0.999f * second[i] + 0.001f * g * g;
    first[i] = m;
    second[i] = v;
    weight[i] -= rate * (m / bias1) / (sqrtf(v / bias2) + 1e-8f);
  }
}
