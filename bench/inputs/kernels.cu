// Fifty lines of kernels, no include: what hone reads with its own header.
#define TILE 16
#define A(y, x) a[(y) * n + (x)]

__device__ float weight(float r) { return r < 1.0f ? 1.0f - r * r : 0.0f; }

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[TILE][TILE];
  __shared__ float tb[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0.0f;
  for (int t = 0; t < n; t += TILE) {
    ta[threadIdx.y][threadIdx.x] = y < n && t + threadIdx.x < n ? A(y, t + threadIdx.x) : 0.0f;
    tb[threadIdx.y][threadIdx.x] = x < n && t + threadIdx.y < n ? b[(t + threadIdx.y) * n + x] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < n) c[y * n + x] = sum;
}

__global__ void smooth(const float* a, float* out, int n, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0.0f, total = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int sx = min(max(x + dx, 0), n - 1), sy = min(max(y + dy, 0), n - 1);
      float w = weight(sqrtf((float)(dx * dx + dy * dy)) / (radius + 1));
      sum += w * A(sy, sx);
      total += w;
    }
  }
  out[y * n + x] = sum / total;
}

template <typename T>
__global__ void scale(T* values, T factor, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) values[i] *= factor;
}

void host(const float* a, const float* b, float* c, int n) {
  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  product<<<grid, block>>>(a, b, c, n);
  smooth<<<grid, block>>>(c, c, n, 2);
  scale<<<64, 256>>>(c, 2.0f, n * n);
}
