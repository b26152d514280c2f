// Integer arrays that are subscripts get data that makes sense; nothing is found in clean code.
// RUN: %hone check %s | FileCheck %s

// CHECK: kernel `spmv`: clean
// CHECK-NOT: not touched
__global__ void spmv(const int* row, const int* col, const float* val, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = row[i]; j < row[i + 1]; ++j) sum += val[j] * x[col[j]];
  y[i] = sum;
}

// No two threads write one element.
// CHECK: kernel `scatter`: clean
__global__ void scatter(const int* to, const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[to[i]] = a[i];
}

// CHECK: kernel `histogram`: clean
__global__ void histogram(const int* data, int* bins, int n) {
  __shared__ int local[32];
  if (threadIdx.x < 32) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[data[i]], 1);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// A lock that is free, a divisor that is not zero, a pointer in a structure, constant memory without an initializer.
struct Range { float* data; int first, count; };
__constant__ float weights[3];
// CHECK: kernel `mixed`: clean
__global__ void mixed(Range r, const int* by, int* lock, float* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < r.count) r.data[r.first + i] = weights[i % 3] * (100 / by[i]);
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    *total += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// CHECK: kernel `dynamic`: clean
// CHECK: guessed: {{.*}}--shared 2048
__global__ void dynamic(const float* a, float* b) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * blockDim.x + t];
  s[t + blockDim.x] = 1;
  __syncthreads();
  b[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t] + s[t + blockDim.x];
}
