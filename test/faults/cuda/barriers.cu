// Barriers that not everyone reaches, and threads that never end.

// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void bad_barrier_in_branch(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 32) {
    __syncthreads();  // fault: divergent-barrier or deadlock
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void good_barrier_in_branch(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// Within one warp.
__global__ void bad_barrier_in_warp(const float* in, float* out) {
  if (threadIdx.x % 2 == 0) __syncthreads();  // fault: divergent-barrier or deadlock
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}
__global__ void good_barrier_in_warp(const float* in, float* out) {
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}

// The loop runs as often as the thread's number says.
__global__ void bad_barrier_in_loop(const float* in, float* out) {
  float sum = 0.0f;
  for (int k = 0; k <= threadIdx.x / 16; ++k) {
    sum += in[k];
    __syncthreads();  // fault: divergent-barrier or deadlock
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void good_barrier_in_loop(const float* in, float* out) {
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) {
    if (k <= threadIdx.x / 16) sum += in[k];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Two different barriers in the two branches.
__global__ void bad_two_barriers(const float* in, float* out) {
  float v = in[threadIdx.x];
  if (threadIdx.x & 1) {
    v += 1.0f;
    __syncthreads();  // fault: divergent-barrier or deadlock
  } else {
    v -= 1.0f;
    __syncthreads();  // fault-also
  }
  out[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void good_two_barriers(const float* in, float* out) {
  float v = in[threadIdx.x];
  if (threadIdx.x & 1) v += 1.0f;
  else v -= 1.0f;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = v;
}

// A counter that never reaches its end.
// run: --grid 1 --block 32 --length in=32 --length out=32 --max-steps 200000
__global__ void bad_endless(const int* in, int* out) {
  int k = 1, sum = 0;
  while (k != 0) {  // fault: step-limit
    sum += in[threadIdx.x];  // fault-also
    k = k == 1 ? 2 : 1;  // fault-also
  }
  out[threadIdx.x] = sum;
}
__global__ void good_endless(const int* in, int* out) {
  int k = 100, sum = 0;
  while (k != 0) {
    sum += in[threadIdx.x];
    k -= 1;
  }
  out[threadIdx.x] = sum;
}

// Waits for a flag that nobody sets.
__global__ void bad_lost_flag(const int* in, int* out) {
  volatile __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  while (flag == 0) {}  // fault: step-limit or deadlock
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void good_lost_flag(const int* in, int* out) {
  volatile __shared__ int flag;
  if (threadIdx.x == 0) flag = 1;
  __syncthreads();
  while (flag == 0) {}
  out[threadIdx.x] = in[threadIdx.x];
}
