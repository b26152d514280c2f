// Volatility belongs to the access; loads past caches; names of the user's that look like hone's.


// grid: (n + 31) / 32
// block: 32
// set: n=40
// set: n=8
// recipe: vectorize
// recipe: block(x=64) vectorize
// recipe: promote
__global__ void pairsOfVolatiles(float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = *(volatile float*)(b + 2 * i), y = *(volatile float*)(b + 2 * i + 1);
  c[i] = x - y;
}

// grid: (n + 31) / 32
// block: 32
// set: n=40 m=9
// recipe: stage
// recipe: promote
// recipe: block(x=64) stage unroll(by=2)
__global__ void volatileProduct(const float* a, const float* w, float* b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; ++j) s += *(volatile const float*)(a + i * m + j) * *(volatile const float*)(w + j);
  b[i] = s;
}

// grid: 2
// block: 64
// set: n=64
// recipe: promote
// recipe: block(x=64)
__global__ void volatileShared(const float* a, float* b, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = t < n ? a[blockIdx.x * 64 + t] : 0.0f;
  s[t + 64] = 0.0f;
  __syncthreads();
  volatile float* vs = s;
  for (int d = 32; d > 0; d /= 2) {
    float other = vs[t + d];
    __syncthreads();
    vs[t] += other;
    __syncthreads();
  }
  if (t == 0) b[blockIdx.x] = vs[0];
}

// grid: (n + 31) / 32
// block: 32
// set: n=40 m=9
// recipe: promote
// recipe: unroll(by=2) promote
__global__ void cachedLoads(const int* c, const float* a, float* b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < m; ++j) {
    if (__ldcg(c) > 5) break;
    b[i] += a[j];
  }
}

// grid: (n + 31) / 32
// block: 32
// set: n=40 m=90
// set: n=2 m=300
// recipe: split-reduction(over=warp)
// recipe: split-reduction(over=block)
// recipe: split-reduction(over=grid)
__global__ void usersName(const int* a, int* b, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (int j = 0; j < m; ++j) s += a[i * m + j];
  b[i] = s + 5;
}
