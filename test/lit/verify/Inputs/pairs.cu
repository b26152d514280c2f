__global__ void scale(const float* a, float* b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * s;
}

// The same by other means.
__global__ void scale_strided(const float* in, float* out, float factor, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) out[i] = factor * in[i];
}

// Right where n is a multiple of 4.
__global__ void scale_by_four(const float* a, float* b, float s, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n)
    for (int k = 0; k < 4; ++k) b[i + k] = a[i + k] * s;
}

// Writes one element that the original leaves alone.
__global__ void scale_and_more(const float* a, float* b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * s;
  if (i == n) b[i] = 0;
}

// Reads the next element before anyone writes it: right as long as a and b do not overlap.
__global__ void scale_late(const float* a, float* b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float held[1024];
  if (i < n) held[threadIdx.x] = a[i];
  __syncthreads();
  if (i < n) b[i] = held[threadIdx.x] * s;
}

__global__ void sum(const float* a, float* total, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += a[i];
  if (threadIdx.x == 0 && blockIdx.x == 0) *total = s;
}

__global__ void sum_pairs(const float* a, float* total, int n) {
  float s = 0, t = 0;
  for (int i = 0; i + 1 < n; i += 2) s += a[i], t += a[i + 1];
  if (n % 2) s += a[n - 1];
  if (threadIdx.x == 0 && blockIdx.x == 0) *total = s + t;
}

__global__ void keep(const float* a, float* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0) out[atomicAdd(count, 1)] = a[i];
}

// Appends in another order.
__global__ void keep_backwards(const float* a, float* out, int* count, int n) {
  int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= 0 && a[i] > 0) out[atomicAdd(count, 1)] = a[i];
}

__global__ void roots(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = sqrtf(a[i]);
}

__global__ void nothing(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = (a[i] - a[i]) / 0.0f;
}

__global__ void racy(const float* a, float* b, float s, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[255 - threadIdx.x] = i < n ? a[i] : 0;
  if (i < n) b[i] = a[i] * s + (t[threadIdx.x] == 12345.0f ? 1 : 0);
}
