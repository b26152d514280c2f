// Tiles that cache global memory are read from where they came from: turned, in loops, with halos, clamped, filled by strides.
// RUN: %hone opt %s --recipe 'unstage' -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe 'unstage' | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --recipe 'unstage(as)' --kernel matmul -o - 2>&1 | FileCheck --check-prefix=ONE %s
// SAID: kernel `transpose`: tile is read from where it was filled from: in; 1 barrier less
// SAID: kernel `matmul`: as is read from where it was filled from: a
// SAID: kernel `matmul`: bs is read from where it was filled from: b; 2 barriers less
// SAID: kernel `stencil`: temp is read from where it was filled from: in; 1 barrier less
// SAID: kernel `blur`: tile is read from where it was filled from: in; 1 barrier less
// SAID: kernel `dynamic`: s is read from where it was filled from: in; 1 barrier less
// SAID: kernel `filter`: taps is read from where it was filled from: f; 1 barrier less
// SAID: kernel `mixed`: tile is read from where it was filled from: a, b; 3 barriers less
// SAID: kernel `border`: row is read from where it was filled from: in; 3 barriers less
// SAID: kernel `apart`: tile is read from where it was filled from: in (before the launch it is tested that `in` and `out` do not overlap); 1 barrier less
// SAID: kernel `moving`: tile is read from where it was filled from: in; 1 barrier less
// SAID: kernel `summed`: tile is read from where it was filled from: in; 1 barrier less
// SAID: kernel `both`: first is read from where it was filled from: in{{$}}
// SAID: kernel `both`: second is read from where it was filled from: in{{$}}
// SAME-COUNT-12: equal in

#define S 16
#define R 3

// CHECK: namespace transpose_hone
// CHECK-NOT: __shared__
// CHECK-NOT: __syncthreads
// CHECK: in[(int)threadIdx.x * w + (int)blockIdx.y * w * 16 + (int)blockIdx.x * 16 + (int)threadIdx.y];
__global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float tile[S][S + 1];
  int x = blockIdx.x * S + threadIdx.x, y = blockIdx.y * S + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  int tx = blockIdx.y * S + threadIdx.x, ty = blockIdx.x * S + threadIdx.y;
  if (tx < h && ty < w) out[ty * h + tx] = tile[threadIdx.x][threadIdx.y];
}

// The zeros around the matrices are asked for again. One array at a time leaves the barriers to the other.
// CHECK: namespace matmul_hone
// CHECK-NOT: __shared__
// CHECK-NOT: __syncthreads
// CHECK: for (int k = 0; k < S; ++k) {
// CHECK: < n && t * 16 + k < n
// CHECK: ? a[(int)blockIdx.y * n * 16 + (int)threadIdx.y * n + t * 16 + k]
// CHECK: : 0.0f)
// CHECK: ? b[n * t * 16 + n * k + (int)blockIdx.x * 16 + (int)threadIdx.x]
// ONE: as is read from where it was filled from: a
// ONE: namespace matmul_hone
// ONE: __shared__ float bs[S][S];
// ONE: __syncthreads();
// ONE: __syncthreads();
__global__ void matmul(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ float as[S][S], bs[S][S];
  int row = blockIdx.y * S + threadIdx.y, col = blockIdx.x * S + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (n + S - 1) / S; ++t) {
    as[threadIdx.y][threadIdx.x] = row < n && t * S + threadIdx.x < n ? a[row * n + t * S + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = t * S + threadIdx.y < n && col < n ? b[(t * S + threadIdx.y) * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < S; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

// Halos by further fills, each with its own end: the element says whose.
// CHECK: namespace stencil_hone
// CHECK-NOT: temp
// CHECK: o + (int)threadIdx.x < 0 ?
// CHECK: >= 0
// CHECK: ? in[(int)blockIdx.x * 256 + o + (int)threadIdx.x]
// CHECK: < n
// CHECK: ? in[(int)blockIdx.x * 256 + o + (int)threadIdx.x]
__global__ void stencil(const int* __restrict__ in, int* __restrict__ out, int n) {
  __shared__ int temp[256 + 2 * R];
  int g = threadIdx.x + blockIdx.x * blockDim.x, l = threadIdx.x + R;
  temp[l] = g < n ? in[g] : 0;
  if (threadIdx.x < R) {
    temp[l - R] = g - R >= 0 ? in[g - R] : 0;
    temp[l + 256] = g + 256 < n ? in[g + 256] : 0;
  }
  __syncthreads();
  int result = 0;
  for (int o = -R; o <= R; ++o) result += temp[l + o];
  if (g < n) out[g] = result;
}

// By strides over a flat tile, clamped: rows and columns of the element, no quotients.
// CHECK: namespace blur_hone
// CHECK-NOT: tile
// CHECK: (int)blockIdx.y * 16 + dy + (int)threadIdx.y >= 1
// CHECK-NOT: / 18
// CHECK: : w - 1)];
__global__ void blur(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float tile[(S + 2) * (S + 2)];
  int tid = threadIdx.y * S + threadIdx.x;
  for (int i = tid; i < (S + 2) * (S + 2); i += S * S) {
    int y = blockIdx.y * S + i / (S + 2) - 1, x = blockIdx.x * S + i % (S + 2) - 1;
    y = min(max(y, 0), h - 1);
    x = min(max(x, 0), w - 1);
    tile[i] = in[y * w + x];
  }
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += tile[(threadIdx.y + dy) * (S + 2) + threadIdx.x + dx];
  int x = blockIdx.x * S + threadIdx.x, y = blockIdx.y * S + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = sum;
}

// Dynamic memory that is not used any more is not asked for; one of two statements fills an element.
// CHECK: namespace dynamic_hone
// CHECK-NOT: extern
// CHECK: out[i] = in[(int)blockIdx.x * 128 + (int)threadIdx.x] +
// CHECK: ? in[(int)blockIdx.x * 128 + (int)threadIdx.x + 1]
// CHECK: dynamic_hone::kernel<<<grid, threads, 0, stream>>>
__global__ void dynamic(const float* __restrict__ in, float* __restrict__ out, int n) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[threadIdx.x] = in[i];
  else
    s[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x] + (threadIdx.x + 1 < blockDim.x ? s[threadIdx.x + 1] : 0.f);
}

// By some of the threads, read by all of them.
// CHECK: namespace filter_hone
// CHECK: sum += in[i + k] * f[k];
__global__ void filter(const float* __restrict__ in, const float* __restrict__ f, float* __restrict__ out, int n) {
  __shared__ float taps[9];
  if (threadIdx.x < 9) taps[threadIdx.x] = f[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 9 > n) return;
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += in[i + k] * taps[k];
  out[i] = sum;
}

// For two purposes: who wrote last counts. In part: the element says who did.
// CHECK: namespace mixed_hone
// CHECK: float sum = a[
// CHECK: sum += {{.*}} ? b[
// CHECK: : a[
__global__ void mixed(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out) {
  __shared__ float tile[64];
  int t = threadIdx.x, x = blockIdx.x * 64 + t;
  tile[t] = a[x];
  __syncthreads();
  float sum = tile[63 - t];
  __syncthreads();
  if (t < 5) tile[t] = b[t];
  __syncthreads();
  sum += tile[63 - t];
  out[x] = sum;
}

// What stands around the tile is filled once, the rest in each iteration, by a variable that is one of two values.
// CHECK: namespace border_hone
// CHECK-NOT: row[
// CHECK: out[x] = sum;
__global__ void border(const int* __restrict__ in, int* __restrict__ out, int n, int rows) {
  __shared__ int row[66];
  int t = threadIdx.x, x = blockIdx.x * 64 + t, sum = 0;
  if (t < 2) row[t * 65] = 7;
  __syncthreads();
  for (int k = 0; k < rows; ++k) {
    int v = 0;
    if (x < n) v = in[k * n + x];
    row[t + 1] = v;
    __syncthreads();
    sum += row[t] + 2 * row[t + 2];
    __syncthreads();
  }
  if (x < n) out[x] = sum;
}

// Arrays that nobody tells apart are tested before the launch.
// CHECK: namespace apart_hone
// CHECK: out[x] = in[
// CHECK: (in + (long long)grid.x * 64) <= (unsigned long long)out ||
__global__ void apart(const short* in, float* out) {
  __shared__ float tile[64];
  int t = threadIdx.x, x = blockIdx.x * 64 + t;
  tile[t] = in[x];
  __syncthreads();
  out[x] = tile[63 - t];
}

// A pointer that the kernel moves.
// CHECK: namespace moving_hone
// CHECK: const float* const in_start = in;
// CHECK: out[x] = in_start[
__global__ void moving(const float* in, float* __restrict__ out) {
  __shared__ float tile[64];
  int t = threadIdx.x, x = blockIdx.x * 64 + t;
  in += 64;
  tile[t] = in[x];
  __syncthreads();
  out[x] = tile[63 - t];
}

// The barriers serve another array, too.
// CHECK: namespace summed_hone
// CHECK: part[t] = in[
// CHECK: __syncthreads();
// CHECK: __syncthreads();
__global__ void summed(const int* __restrict__ in, int* __restrict__ out) {
  __shared__ int tile[64], part[64];
  int t = threadIdx.x, x = blockIdx.x * 64 + t;
  tile[t] = in[x];
  __syncthreads();
  part[t] = tile[63 - t];
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

// A tile that is filled from a tile, and blocks that count each other: barriers stay.
// CHECK: namespace both_hone
// CHECK-NOT: __shared__
// CHECK: __syncthreads();
// CHECK: atomicAdd(count, 1)
__global__ void both(const int* __restrict__ in, int* __restrict__ out, int* __restrict__ count) {
  __shared__ int first[64], second[64];
  int t = threadIdx.x, x = blockIdx.x * 64 + t;
  first[t] = in[x];
  __syncthreads();
  second[t] = first[63 - t];
  __syncthreads();
  out[x] = second[t ^ 1];
  __threadfence();
  __syncthreads();
  if (t == 0) out[gridDim.x * 64 + atomicAdd(count, 1)] = 1;
}

int main() {
  transpose<<<dim3(4, 4), dim3(16, 16)>>>(nullptr, nullptr, 50, 60);
  matmul<<<dim3(4, 4), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 50);
  stencil<<<4, 256>>>(nullptr, nullptr, 1000);
  blur<<<dim3(4, 4), dim3(16, 16)>>>(nullptr, nullptr, 50, 60);
  dynamic<<<4, 128, 512>>>(nullptr, nullptr, 500);
  filter<<<4, 128>>>(nullptr, nullptr, nullptr, 500);
  mixed<<<4, 64>>>(nullptr, nullptr, nullptr);
  border<<<4, 64>>>(nullptr, nullptr, 250, 7);
  apart<<<4, 64>>>(nullptr, nullptr);
  moving<<<4, 64>>>(nullptr, nullptr);
  summed<<<4, 64>>>(nullptr, nullptr);
  both<<<4, 64>>>(nullptr, nullptr, nullptr);
}
