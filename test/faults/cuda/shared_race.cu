// Races among the threads of a block, in shared memory.

// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void bad_missing_barrier(const float* in, float* out) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  out[i] = tile[63 - threadIdx.x];  // fault: race
}
__global__ void good_missing_barrier(const float* in, float* out) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[63 - threadIdx.x];
}

// The second barrier of a tiled loop is missing: fast warps overwrite what slow ones still read.
__global__ void bad_tile_overwritten(const float* in, float* out) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < 2; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];  // fault: race
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void good_tile_overwritten(const float* in, float* out) {
  __shared__ float tile[64];
  float sum = 0.0f;
  for (int t = 0; t < 2; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A tree reduction without the barrier in its loop.
__global__ void bad_reduction(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];  // fault: missing-warp-sync or race
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void good_reduction(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// Each thread reads its left neighbour and writes its own element in one go.
__global__ void bad_inplace_shift(const int* in, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x > 0) s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x - 1];  // fault: race or missing-warp-sync
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
__global__ void good_inplace_shift(const int* in, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int left = threadIdx.x > 0 ? s[threadIdx.x - 1] : 0;
  __syncthreads();
  s[threadIdx.x] += left;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// A counter in shared memory without an atomic.
__global__ void bad_plain_counter(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] < 1000000) count += 1;  // fault: race
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}
__global__ void good_plain_counter(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (in[threadIdx.x] < 1000000) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// The initialisation of the counter races with the first increments.
__global__ void bad_counter_reset(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 63) count = 0;  // fault: race or uninitialized
  atomicAdd(&count, in[threadIdx.x] & 1);  // fault-also
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}
__global__ void good_counter_reset(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 63) count = 0;
  __syncthreads();
  atomicAdd(&count, in[threadIdx.x] & 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// Two warps write the same element because of a wrong stride.
__global__ void bad_overlapping_rows(const float* in, float* out) {
  __shared__ float s[64];
  int row = threadIdx.x / 32, column = threadIdx.x % 32;
  s[row * 31 + column] = in[threadIdx.x];  // fault: race
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x < 63 ? s[threadIdx.x] : 0.0f;
}
__global__ void good_overlapping_rows(const float* in, float* out) {
  __shared__ float s[64];
  int row = threadIdx.x / 32, column = threadIdx.x % 32;
  s[row * 32 + column] = in[threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x < 63 ? s[threadIdx.x] : 0.0f;
}

// Different values to one address in one instruction.
__global__ void bad_everyone_writes(const int* in, int* out) {
  __shared__ int winner;
  winner = threadIdx.x;  // fault: race
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = winner + in[threadIdx.x];
}
__global__ void good_everyone_writes(const int* in, int* out) {
  __shared__ int winner;
  if (threadIdx.x == 0) winner = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = winner + in[threadIdx.x];
}

// The same value to one address: a warning.
__global__ void bad_same_value(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] < 1000000) found = 1;  // fault: race (same-value)
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = found;
}
__global__ void good_same_value(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] < 1000000) atomicOr(&found, 1);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = found;
}

// Bytes: the neighbour's byte of the same word is read while it is written.
__global__ void bad_bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char s[65];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) s[64] = 0;
  unsigned char v = s[threadIdx.x + 1];  // fault: race
  out[blockIdx.x * 64 + threadIdx.x] = v;
}
__global__ void good_bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char s[65];
  s[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) s[64] = 0;
  __syncthreads();
  unsigned char v = s[threadIdx.x + 1];
  out[blockIdx.x * 64 + threadIdx.x] = v;
}

// Double buffering with a missing swap of the buffers: both halves are the same.
__global__ void bad_double_buffer(const float* in, float* out) {
  __shared__ float buffer[2][64];
  buffer[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int now = 0;
  for (int step = 0; step < 3; ++step) {
    float v = buffer[now][(threadIdx.x + 1) % 64];
    buffer[now][threadIdx.x] = v * 0.5f;  // fault: race
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = buffer[now][threadIdx.x];
}
__global__ void good_double_buffer(const float* in, float* out) {
  __shared__ float buffer[2][64];
  buffer[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int now = 0;
  for (int step = 0; step < 3; ++step) {
    float v = buffer[now][(threadIdx.x + 1) % 64];
    buffer[1 - now][threadIdx.x] = v * 0.5f;
    now = 1 - now;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = buffer[now][threadIdx.x];
}

// An atomic and a plain read of the same word.
__global__ void bad_mixed_atomic(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x] & 3);
  if (sum >= 0) out[blockIdx.x * 64 + threadIdx.x] = 1;  // fault: race or missing-warp-sync
}
__global__ void good_mixed_atomic(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x] & 3);
  __syncthreads();
  if (sum >= 0) out[blockIdx.x * 64 + threadIdx.x] = 1;
}
