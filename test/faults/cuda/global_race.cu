// Races in global memory, within a block and between blocks.

// run: --grid 4 --block 64 --set n=256 --length in=n --length out=n
__global__ void bad_neighbour_block(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  __syncthreads();
  if (i + 1 < n) out[i] += out[i + 1];  // fault: race
}
__global__ void good_neighbour_block(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (i + 1 < n) v += in[i + 1];
  out[i] = v;
}

// All blocks add into one element without an atomic.
__global__ void bad_sum(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += s[k];
    out[0] += sum;  // fault: race
  }
}
__global__ void good_sum(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int k = 0; k < 64; ++k) sum += s[k];
    atomicAdd(&out[0], sum);
  }
}

// The block index is left out of the subscript.
__global__ void bad_local_index(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[threadIdx.x] = in[i] * 2.0f;  // fault: race
}
__global__ void good_local_index(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2.0f;
}

// In place with neighbours of other threads: no barrier helps between blocks.
// run: --grid 4 --block 64 --set n=256 --length out=n
__global__ void bad_inplace_stencil(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.5f * (out[i - 1] + out[i + 1]);  // fault: race or missing-warp-sync
}
// run: --grid 4 --block 64 --set n=256 --length in=n --length out=n
__global__ void good_inplace_stencil(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}

// Within the block a barrier is missing in global memory.
__global__ void bad_block_exchange(const int* in, int* out, int n) {
  int base = blockIdx.x * 64;
  out[base + threadIdx.x] = in[base + threadIdx.x];
  int v = out[base + 63 - threadIdx.x];  // fault: race
  __syncthreads();
  out[base + threadIdx.x] = v + n;
}
__global__ void good_block_exchange(const int* in, int* out, int n) {
  int base = blockIdx.x * 64;
  out[base + threadIdx.x] = in[base + threadIdx.x];
  __syncthreads();
  int v = out[base + 63 - threadIdx.x];
  __syncthreads();
  out[base + threadIdx.x] = v + n;
}

// A histogram without atomics.
__global__ void bad_histogram(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[in[i] & 15] += 1;  // fault: race or missing-warp-sync
}
__global__ void good_histogram(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[in[i] & 15], 1);
}

// The last block reads what the others wrote, with no fence before the ticket.
__device__ unsigned int ticketsBad, ticketsGood;
__global__ void bad_last_block(const float* in, float* out, int n) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = in[blockIdx.x];
    last = atomicInc(&ticketsBad, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float sum = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) sum += out[b];  // fault: race
    out[n - 1] = sum;
  }
}
__global__ void good_last_block(const float* in, float* out, int n) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(&ticketsGood, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float sum = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) sum += out[b];
    out[n - 1] = sum;
  }
}

// A plain store races with an atomic.
__global__ void bad_plain_and_atomic(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == n - 1) out[0] = 5;  // fault: race
  if (in[i] != 123456789) atomicMax(&out[0], i);
}
__global__ void good_plain_and_atomic(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == n - 1) atomicExch(&out[0], 5);
  if (in[i] != 123456789) atomicMax(&out[0], i);
}

// Two threads of different blocks write half a word each of the same word: no fault. The same byte: a fault.
// run: --grid 4 --block 64 --length out=256
__global__ void bad_byte_output(unsigned char* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i / 2] = (unsigned char)i;  // fault: race
}
__global__ void good_byte_output(unsigned char* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = (unsigned char)i;
}

// A lock without fences.
__device__ int lockBad, lockGood;
// run: --grid 2 --block 32 --length out=1
__global__ void bad_lock_without_fence(int* out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lockBad, 0, 1) != 0) {}
    out[0] += 1;  // fault: race
    atomicExch(&lockBad, 0);
  }
}
__global__ void good_lock_without_fence(int* out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lockGood, 0, 1) != 0) {}
    __threadfence();
    out[0] += 1;
    __threadfence();
    atomicExch(&lockGood, 0);
  }
}

// Data handed on through a volatile flag, without a fence before the flag is set.
__device__ volatile int flagBad, flagGood;
// run: --grid 2 --block 32 --length out=64
__global__ void bad_flag_without_fence(int* out) {
  if (blockIdx.x == 0) {
    out[threadIdx.x] = threadIdx.x * 3;
    __syncthreads();
    if (threadIdx.x == 0) flagBad = 1;
  } else {
    if (threadIdx.x == 0) while (flagBad == 0) {}
    __syncthreads();
    out[32 + threadIdx.x] = out[threadIdx.x];  // fault: race
  }
}
__global__ void good_flag_without_fence(int* out) {
  if (blockIdx.x == 0) {
    out[threadIdx.x] = threadIdx.x * 3;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) flagGood = 1;
  } else {
    if (threadIdx.x == 0) while (flagGood == 0) {}
    __syncthreads();
    __threadfence();
    out[32 + threadIdx.x] = out[threadIdx.x];
  }
}
