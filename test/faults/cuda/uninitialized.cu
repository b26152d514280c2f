// Reads of what nothing wrote.

// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void bad_shared_edge(const float* in, float* out) {
  __shared__ float s[66];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x + 1] = in[i];
  if (threadIdx.x == 0) s[0] = 0.0f;
  __syncthreads();
  out[i] = s[threadIdx.x] + s[threadIdx.x + 2];  // fault: uninitialized
}
__global__ void good_shared_edge(const float* in, float* out) {
  __shared__ float s[66];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x + 1] = in[i];
  if (threadIdx.x == 0) s[0] = s[65] = 0.0f;
  __syncthreads();
  out[i] = s[threadIdx.x] + s[threadIdx.x + 2];
}

// A shared accumulator that nobody sets to zero.
__global__ void bad_shared_sum(const int* in, int* out) {
  __shared__ int sum;
  atomicAdd(&sum, in[threadIdx.x]);  // fault: uninitialized
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void good_shared_sum(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void bad_local_histogram(const int* in, int* out) {
  int count[4];
  for (int k = 0; k < 8; ++k) count[(in[threadIdx.x] + k) & 3] += 1;  // fault: uninitialized
  out[blockIdx.x * 64 + threadIdx.x] = count[0];
}
__global__ void good_local_histogram(const int* in, int* out) {
  int count[4] = {0, 0, 0, 0};
  for (int k = 0; k < 8; ++k) count[(in[threadIdx.x] + k) & 3] += 1;
  out[blockIdx.x * 64 + threadIdx.x] = count[0];
}

__global__ void bad_accumulator(const float* in, float* out) {
  float sum;
  for (int k = 0; k < 4; ++k) sum += in[(threadIdx.x + k) % 64];  // fault: uninitialized
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void good_accumulator(const float* in, float* out) {
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += in[(threadIdx.x + k) % 64];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A variable that is set on one path only.
__global__ void bad_one_path(const float* in, float* out) {
  float v;
  if (threadIdx.x < 48) v = in[threadIdx.x];
  out[blockIdx.x * 64 + threadIdx.x] = v;  // fault: uninitialized
}
__global__ void good_one_path(const float* in, float* out) {
  float v;
  if (threadIdx.x < 48) v = in[threadIdx.x];
  else v = 0.0f;
  out[blockIdx.x * 64 + threadIdx.x] = v;
}

// Dynamic shared memory of which the upper half is never filled.
// run: --grid 2 --block 64 --shared 512 --length in=128 --length out=128
__global__ void bad_dynamic(const float* in, float* out) {
  extern __shared__ float area[];
  float* low = area;
  float* high = area + blockDim.x;
  low[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = low[threadIdx.x] + high[threadIdx.x];  // fault: uninitialized
}
__global__ void good_dynamic(const float* in, float* out) {
  extern __shared__ float area[];
  float* low = area;
  float* high = area + blockDim.x;
  low[threadIdx.x] = in[threadIdx.x];
  high[threadIdx.x] = 1.0f;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = low[threadIdx.x] + high[threadIdx.x];
}
