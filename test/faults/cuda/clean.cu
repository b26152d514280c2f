// Tricky code without a fault.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Threads that have returned do not take part in a barrier.
// run: --grid 3 --block 64 --set n=100 --length in=n --length out=n
__global__ void clean_early_return(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = s[threadIdx.x ^ 1];
}

// run: --grid 4 --block 128 --set n=500 --length in=n --length out=8
__device__ unsigned int tickets;
__global__ void clean_last_block_sum(const float* in, float* out, int n) {
  __shared__ float s[128];
  __shared__ bool last;
  float sum = 0.0f;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = s[0];
    __threadfence();
    unsigned int ticket = atomicInc(&tickets, gridDim.x - 1);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0.0f;
    for (int b = 0; b < gridDim.x; ++b) total += out[b];
    out[4] = total;
  }
}

// The same with every thread writing and fencing.
__device__ unsigned int tickets2;
// run: --grid 4 --block 64 --length in=256 --length out=257
__global__ void clean_last_block_all(const float* in, float* out) {
  __shared__ bool last;
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = in[i] * in[i];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&tickets2, 1u) == gridDim.x - 1;
  __syncthreads();
  if (last) {
    float part = 0.0f;
    for (int k = threadIdx.x; k < 256; k += 64) part += out[k];
    for (int d = 16; d > 0; d /= 2) part += __shfl_down_sync(0xffffffff, part, d);
    __shared__ float sums[2];
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = part;
    __syncthreads();
    if (threadIdx.x == 0) {
      out[256] = sums[0] + sums[1];
      tickets2 = 0;
    }
  }
}

// A lock held by one thread of each warp in turn.
__device__ int spinLock;
// run: --grid 3 --block 96 --length out=2
__global__ void clean_spin_lock(int* out) {
  if (threadIdx.x % 32 == 0) {
    bool done = false;
    while (!done) {
      if (atomicCAS(&spinLock, 0, 1) == 0) {
        __threadfence();
        out[0] = out[0] + 1;
        out[1] = out[1] + 2;
        __threadfence();
        atomicExch(&spinLock, 0);
        done = true;
      }
    }
  }
}

// Every thread of a warp takes the lock.
__device__ int threadLock;
// run: --grid 2 --block 32 --length out=1
__global__ void clean_lock_per_thread(int* out) {
  for (bool waiting = true; waiting;) {
    if (atomicCAS(&threadLock, 0, 1) == 0) {
      __threadfence();
      out[0] += 1;
      __threadfence();
      atomicExch(&threadLock, 0);
      waiting = false;
    }
  }
}

// A lock in shared memory, between the warps of a block.
// run: --grid 2 --block 128 --length out=2
__global__ void clean_shared_lock(int* out) {
  __shared__ int lock, sum;
  if (threadIdx.x == 0) lock = sum = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 5) {
    while (atomicCAS(&lock, 0, 1) != 0) {}
    __threadfence_block();
    sum = sum + threadIdx.x;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Blocks in a chain, each waiting for the one before.
__device__ volatile int chain[8];
// run: --grid 4 --block 64 --length in=256 --length out=256
__global__ void clean_chain(const int* in, int* out) {
  int b = blockIdx.x;
  if (b > 0) {
    if (threadIdx.x == 0) while (chain[b - 1] == 0) {}
    __syncthreads();
    __threadfence();
  }
  int before = b > 0 ? out[(b - 1) * 64 + threadIdx.x] : 0;
  out[b * 64 + threadIdx.x] = before + in[b * 64 + threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) chain[b] = 1;
}

// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void clean_shuffles(const int* in, int* out) {
  int lane = threadIdx.x % 32, v = in[blockIdx.x * 64 + threadIdx.x];
  for (int d = 1; d < 32; d *= 2) {
    int up = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += up;
  }
  unsigned int odd = __ballot_sync(0xffffffff, v & 1);
  out[blockIdx.x * 64 + threadIdx.x] = v + __popc(odd);
}

__global__ void clean_warp_tile(const float* in, float* out) {
  __shared__ float s[2][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  s[warp][lane] = in[blockIdx.x * 64 + threadIdx.x];
  __syncwarp();
  float left = s[warp][(lane + 31) % 32];
  __syncwarp();
  s[warp][lane] += left;
  __syncwarp();
  out[blockIdx.x * 64 + threadIdx.x] = s[warp][31 - lane];
}

__global__ void clean_group_tile(const float* in, float* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  __shared__ float s[64];
  unsigned int t = block.thread_rank();
  s[t] = in[blockIdx.x * 64 + t];
  tile.sync();
  float v = s[t ^ 15];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  block.sync();
  if (tile.thread_rank() == 0) s[t / 16] = v;
  block.sync();
  out[blockIdx.x * 64 + t] = s[t % 4];
}

__global__ void clean_histogram(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[in[blockIdx.x * 64 + threadIdx.x] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

// Neighbouring threads write the bytes and halves of one word.
// run: --grid 2 --block 64 --length out=128 --length halves=128
__global__ void clean_bytes(unsigned char* out, unsigned short* halves) {
  __shared__ unsigned char bytes[64];
  bytes[threadIdx.x] = (unsigned char)threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = bytes[63 - threadIdx.x];
  halves[blockIdx.x * 64 + threadIdx.x] = (unsigned short)(threadIdx.x * 3);
}

// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void clean_double_buffer(const float* in, float* out) {
  __shared__ float s[2][64];
  int t = threadIdx.x, from = 0;
  s[0][t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = s[from][t];
}

// Each thread updates its own elements of a tile in place, again and again.
__global__ void clean_inplace(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  for (int k = 0; k < 5; ++k) s[threadIdx.x] = s[threadIdx.x] * 0.5f + 1.0f;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[(threadIdx.x + 7) % 64];
}

// A transpose through a padded tile.
// run: --grid 2x2 --block 16x16 --set w=32 --set h=32 --length in=w*h --length out=w*h
__global__ void clean_transpose(const float* in, float* out, int w, int h) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

// The barrier is in a loop that all threads run equally often, and a branch that all take.
// run: --grid 2 --block 64 --set n=5 --length in=320 --length out=128
__global__ void clean_uniform_branches(const float* in, float* out, int n) {
  __shared__ float s[64];
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    if (n > 3) {
      s[threadIdx.x] = in[k * 64 + threadIdx.x];
      __syncthreads();
      sum += s[63 - threadIdx.x];
      __syncthreads();
    }
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Counting barriers.
// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void clean_counting_barrier(const int* in, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  int odd = __syncthreads_count(s[threadIdx.x] & 1);
  out[blockIdx.x * 64 + threadIdx.x] = odd + s[63 - threadIdx.x];
}

// Vector loads and stores, structs in shared memory.
struct Pair {
  float value;
  int index;
};
// run: --grid 2 --block 64 --length in=512 --length out=128
__global__ void clean_structs(const float4* in, int* out) {
  __shared__ Pair best[64];
  float4 v = in[(blockIdx.x * 64 + threadIdx.x)];
  best[threadIdx.x].value = v.x + v.y + v.z + v.w;
  best[threadIdx.x].index = threadIdx.x;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (threadIdx.x < d && best[threadIdx.x + d].value > best[threadIdx.x].value) best[threadIdx.x] = best[threadIdx.x + d];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = best[0].index;
}

// A copy reads its source and writes its destination.
// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void clean_copy(const Pair* in, Pair* out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  memcpy(&out[i], &in[i], sizeof(Pair));
}

// One lane of a warp waits for another through a volatile flag.
// run: --grid 2 --block 32 --length out=64
__global__ void clean_flag_in_warp(int* out) {
  volatile __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncwarp();
  if (threadIdx.x == 1) flag = 1;
  else if (threadIdx.x == 2) while (flag == 0) {}
  out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}

// Only one of the two texts is compiled; which one does not matter for running it.
__global__ void clean_conditional_text(int* out) {
#ifdef TWICE
  out[blockIdx.x * 32 + threadIdx.x] = 2;
#else
  out[blockIdx.x * 32 + threadIdx.x] = 1;
#endif
}

// Producer and consumer warps with a flag in shared memory.
// run: --grid 2 --block 64 --length in=64 --length out=64
__global__ void clean_producer_consumer(const int* in, int* out) {
  __shared__ int data[32];
  volatile __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
    __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 0) ready = 1;
  } else {
    while (ready == 0) {}
    __threadfence_block();
    out[blockIdx.x * 32 + threadIdx.x - 32] = data[63 - threadIdx.x];
  }
}

// A grid-wide barrier between writing and reading.
// run: --grid 4 --block 32 --length in=128 --length out=128 --length tmp=128
__global__ void clean_grid_sync(const int* in, int* tmp, int* out) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * 32 + threadIdx.x;
  tmp[i] = in[i] * 2;
  grid.sync();
  out[i] = tmp[127 - i];
}

// Local arrays filled before they are used, and a variable that only some paths need.
// run: --grid 2 --block 64 --length in=128 --length out=128
__global__ void clean_locals(const float* in, float* out) {
  float window[4];
  float extra;
  bool has = threadIdx.x > 0;
  if (has) extra = in[threadIdx.x - 1];
  for (int k = 0; k < 4; ++k) window[k] = in[threadIdx.x] * k;
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += window[(k + threadIdx.x) & 3];
  if (has) sum += extra;
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
