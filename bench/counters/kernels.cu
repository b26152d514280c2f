// Kernels whose memory behaviour is known beforehand, for comparing `hone profile` with hardware counters. compare.py lists
// the sizes they run at; host.cu launches them on a GPU.

// Coalesced: one sector per eight lanes.
__global__ void copy(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void copy_float4(const float4* __restrict__ x, float4* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void triad(const double* __restrict__ x, const double* __restrict__ y, double* __restrict__ z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + 3.0 * y[i];
}

// Strided: lanes 2, 8 and 32 elements apart.
__global__ void stride2(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[2 * i];
}

__global__ void stride8(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[8 * i];
}

__global__ void stride32(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[32 * i];
}

// Misaligned: each warp reads or writes one sector more than it fills.
__global__ void shifted_load(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i + 1];
}

__global__ void shifted_store(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i + 3] = x[i];
}

// Broadcast: all lanes read one address.
__global__ void broadcast(const float* __restrict__ x, const float* __restrict__ c, float* __restrict__ y, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = x[i];
#pragma unroll 1
  for (int k = 0; k < taps; k++) sum = sum * 0.5f + c[k];
  y[i] = sum;
}

// Structures of three floats: each instruction uses a third of what it moves.
__global__ void triples(const float* __restrict__ p, float* __restrict__ length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
  length[i] = x * x + y * y + z * z;
}

// Transposition: by columns, through shared memory with 32-way conflicts, and padded.
__global__ void transpose_plain(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

__global__ void transpose_conflicts(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_padded(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// 64-bit elements in shared memory, read along columns of a tile.
__global__ void transpose_double(const double* __restrict__ in, double* __restrict__ out, int w, int h) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}

// Shared memory alone: each warp reads columns of a tile again and again, with and without padding, and 8 and 16 bytes a lane.
__global__ void columns_conflicts(float* __restrict__ out, int rounds) {
  __shared__ float tile[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[ty + j][tx] = tx * 0.5f + j;
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; r++) sum += tile[tx][(ty + r) & 31];
  out[(blockIdx.x * 8 + ty) * 32 + tx] = sum;
}

__global__ void columns_padded(float* __restrict__ out, int rounds) {
  __shared__ float tile[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[ty + j][tx] = tx * 0.5f + j;
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; r++) sum += tile[tx][(ty + r) & 31];
  out[(blockIdx.x * 8 + ty) * 32 + tx] = sum;
}

__global__ void columns_double(double* __restrict__ out, int rounds) {
  __shared__ double tile[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = tx * 0.5 + ty;
  __syncthreads();
  double sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; r++) sum += tile[tx][(ty + r) & 15];
  out[(blockIdx.x * 16 + ty) * 16 + tx] = sum;
}

__global__ void rows_float4(float4* __restrict__ out, int rounds) {
  __shared__ float4 tile[256];
  int t = threadIdx.x;
  tile[t] = make_float4(t, 1.0f, 2.0f, 3.0f);
  __syncthreads();
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    float4 v = tile[(t * 2 + r) & 255];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  out[blockIdx.x * 256 + t] = sum;
}

// Tiled product: one row and one column of tiles per block.
__global__ void matmul_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += 16) {
    as[ty][tx] = a[y * n + k + tx];
    bs[ty][tx] = b[(k + ty) * n + x];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 16; j++) sum += as[ty][j] * bs[j][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

__global__ void matmul_plain(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// Divergent: lanes of one warp take different ways to their data.
__global__ void divergent(const float* __restrict__ x, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i & 1)
    y[i] = x[i] * 2.0f;
  else
    y[i] = x[n - 1 - i] + 1.0f;
}

// Atomics in global and in shared memory.
__global__ void histogram_global(const int* __restrict__ key, int* __restrict__ bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[key[i]], 1);
}

__global__ void histogram_shared(const int* __restrict__ key, int* __restrict__ bins, int n) {
  __shared__ int part[256];
  part[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 2048 + threadIdx.x; i < n && i < (blockIdx.x + 1) * 2048; i += 256) atomicAdd(&part[key[i]], 1);
  __syncthreads();
  bins[blockIdx.x * 256 + threadIdx.x] = part[threadIdx.x];
}

// The same key over and over: all lanes of a warp at one address of shared memory, then spread over few.
__global__ void shared_counters(int* __restrict__ out, int rounds, int spread) {
  __shared__ int part[64];
  int t = threadIdx.x;
  if (t < 64) part[t] = 0;
  __syncthreads();
#pragma unroll 1
  for (int r = 0; r < rounds; r++) atomicAdd(&part[(t * 7 + r) % spread], 1);
  __syncthreads();
  if (t < 64) out[blockIdx.x * 64 + t] = part[t];
}

// Stencils.
__global__ void stencil5(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w]);
}

__global__ void stencil7(const float* __restrict__ in, float* __restrict__ out, int w, int h, int d) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= w - 1 || y >= h - 1 || z >= d - 1) return;
  int i = (z * h + y) * w + x;
  out[i] = 0.1f * (in[i] + in[i - 1] + in[i + 1] + in[i - w] + in[i + w] + in[i - w * h] + in[i + w * h]);
}

// Irregular: through an index array.
__global__ void gather(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}

__global__ void scatter(const float* __restrict__ x, const int* __restrict__ index, float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[index[i]] = x[i];
}

// A reduction whose active lanes are 2, 4, 8, … apart, so that banks collide more from step to step.
__global__ void reduce_strided(const float* __restrict__ x, float* __restrict__ sums, int n) {
  __shared__ float part[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int s = 1; s < 256; s *= 2) {
    int k = 2 * s * t;
    if (k < 256) part[k] += part[k + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// Each lane walks along a row of its own.
__global__ void row_sums(const float* __restrict__ x, float* __restrict__ sums, int rows, int w) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < w; k++) sum += x[r * w + k];
  sums[r] = sum;
}

__global__ void column_sums(const float* __restrict__ x, float* __restrict__ sums, int w, int h) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= w) return;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < h; k++) sum += x[k * w + c];
  sums[c] = sum;
}

// Writes only.
__global__ void fill(float* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1.0f;
}
