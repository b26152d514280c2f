// A tiled matrix product for any size, with events around it.
#include <cstdio>
#include <vector>

constexpr int TILE = 16;

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE + 1];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < k; t += TILE) {
    as[threadIdx.y][threadIdx.x] = y < m && t + threadIdx.x < k ? a[y * k + t + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = x < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + x] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (y < m && x < n) c[y * n + x] = sum;
}

int main() {
  const int m = 45, n = 70, k = 33;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = float(i % 7) - 3;
  for (int i = 0; i < k * n; ++i) b[i] = float(i % 5) - 2;
  float *da, *db, *dc;
  cudaMalloc(&da, a.size() * 4);
  cudaMalloc(&db, b.size() * 4);
  cudaMalloc(&dc, c.size() * 4);
  cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  product<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(da, db, dc, m, n, k);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms = -1;
  cudaEventElapsedTime(&ms, begin, end);
  cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < m; ++y)
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * n + x];
      wrong += sum != c[y * n + x];
    }
  std::printf("%d wrong, corner %g, time %s\n", wrong, c[m * n - 1], ms > 0 ? "positive" : "missing");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}
