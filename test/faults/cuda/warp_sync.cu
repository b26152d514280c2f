// Warp-synchronous code: lanes of a warp that exchange through memory, and exchanges among lanes.

// run: --grid 2 --block 32 --length in=64 --length out=64
__global__ void bad_warp_reduce(const float* in, float* out) {
  volatile __shared__ float s[64];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  s[threadIdx.x + 32] = 0.0f;
  __syncthreads();
  s[threadIdx.x] += s[threadIdx.x + 16];  // fault: missing-warp-sync
  s[threadIdx.x] += s[threadIdx.x + 8];   // fault-also
  s[threadIdx.x] += s[threadIdx.x + 4];   // fault-also
  s[threadIdx.x] += s[threadIdx.x + 2];   // fault-also
  s[threadIdx.x] += s[threadIdx.x + 1];   // fault-also
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void good_warp_reduce(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  s[threadIdx.x + 32] = 0.0f;
  __syncthreads();
  float v = s[threadIdx.x];
  v += s[threadIdx.x + 16]; __syncwarp();
  s[threadIdx.x] = v; __syncwarp();
  v += s[threadIdx.x + 8]; __syncwarp();
  s[threadIdx.x] = v; __syncwarp();
  v += s[threadIdx.x + 4]; __syncwarp();
  s[threadIdx.x] = v; __syncwarp();
  v += s[threadIdx.x + 2]; __syncwarp();
  s[threadIdx.x] = v; __syncwarp();
  v += s[threadIdx.x + 1]; __syncwarp();
  s[threadIdx.x] = v; __syncwarp();
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void bad_warp_reverse(const float* in, float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];  // fault: missing-warp-sync
}
__global__ void good_warp_reverse(const float* in, float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  __syncwarp();
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];
}

// The mask names half of the lanes, the exchange crosses the halves.
__global__ void bad_half_mask(const float* in, float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x < 16) __syncwarp(0x0000ffff);
  else __syncwarp(0xffff0000);
  out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x];  // fault: missing-warp-sync
}
__global__ void good_half_mask(const float* in, float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x < 16) __syncwarp(0x0000ffff);
  else __syncwarp(0xffff0000);
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x ^ 15];
}

// A broadcast through shared memory by the first lane.
__global__ void bad_leader(const int* in, int* out) {
  __shared__ int chosen;
  if (threadIdx.x == 0) chosen = in[blockIdx.x];
  out[blockIdx.x * 32 + threadIdx.x] = chosen;  // fault: missing-warp-sync
}
__global__ void good_leader(const int* in, int* out) {
  __shared__ int chosen;
  if (threadIdx.x == 0) chosen = in[blockIdx.x];
  __syncwarp();
  out[blockIdx.x * 32 + threadIdx.x] = chosen;
}

// A shuffle from a lane that does not take part.
__global__ void bad_shuffle_source(const int* in, int* out) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x < 16) {
    v += __shfl_sync(0x0000ffff, v, 20);  // fault: invalid-exchange
  }
  out[blockIdx.x * 32 + threadIdx.x] = v;
}
__global__ void good_shuffle_source(const int* in, int* out) {
  int v = in[blockIdx.x * 32 + threadIdx.x];
  if (threadIdx.x < 16) {
    v += __shfl_sync(0x0000ffff, v, 10);
  }
  out[blockIdx.x * 32 + threadIdx.x] = v;
}
