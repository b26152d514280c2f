// Numbers of 64 bits and products of large ones in tests before a launch: "no limit" is often said by the largest number there is.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu

// CHECK: void largest_launch(
// CHECK: const bool covered =
// CHECK-NEXT: n <= (unsigned long long)threads_x &&
__global__ void largest(const float* a, float* b, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}

// CHECK: void negative_launch(
// CHECK: const bool in_range = n >= -4611686018427387904ll && n <= 4611686018427387904ll && threads_x <= 2146435072;
// CHECK: const bool covered =
// CHECK-NEXT: in_range && -n + 200 <= threads_x
__global__ void negative(const float* a, float* b, long long n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + n < 200) b[i] = a[i] * 2.0f;
}

// CHECK: void both_launch(
// CHECK: const bool in_range = m >= -2305843009213693952ll && m <= 2305843009213693952ll &&
// CHECK: in_range && m + n <= threads_x
__global__ void both(const float* a, float* b, long long n, long long m) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i - m < n) b[i] = a[i] * 2.0f;
}

// CHECK: void product_launch(
// CHECK: const bool in_range = n <= 2147483648u && m <= 2147483648u && threads_x <= 2146435072;
// CHECK-NEXT: const bool covered =
// CHECK-NEXT: in_range && (long long)n * m <= threads_x
__global__ void product(const float* a, float* b, unsigned n, unsigned m) {
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (unsigned long long)n * m) b[i] = a[i] * 2.0f;
}

// Sizes of 32 bits with a sign need no bounds.
// CHECK: void usual_launch(
// CHECK: const bool covered =
// CHECK-NEXT: (long long)n * m <= threads_x
__global__ void usual(const float* a, float* b, int n, int m) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (long long)n * m) b[i] = a[i] * 2.0f;
}

// What only threads on top of the launch's may work out is kept from overflowing: the original's one thread never takes 1 from n.
// CHECK: void inner_launch(
// CHECK: const bool in_range = n >= -2147483647 && threads_x <= 2146435072;
__global__ void inner(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) b[i] = a[i] * 2.0f;
}

// CHECK: void left_early_launch(
// CHECK: const bool in_range = n >= -2147483647 && threads_x <= 2146435072;
__global__ void left_early(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1) return;
  if (i > n - 1) return;
  b[i] = a[i] * 2.0f;
}

// CHECK: void inner_wide_launch(
// CHECK: const bool in_range = n <= 1152921504606846976ll && n >= -1152921504606846976ll && threads_x <= 2146435072;
__global__ void inner_wide(const float* a, float* b, long long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i <= n - 1) b[i] = a[i] * 2.0f;
}

// CHECK: void shifted_launch(
// CHECK: const bool in_range = k + (threads_x + 63) / 64 * 64 <= 2147483648ll && threads_x <= 2146435072;
__global__ void shifted(const float* a, float* b, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + k < n) b[i] = a[i] * 2.0f;
}

// Every thread of the original works this out.
// CHECK: void certain_launch(
// CHECK: const bool in_range = threads_x <= 2146435072;
__global__ void certain(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int last = n - 1;
  if (i > 0 && i < last) b[i] = a[i] * 2.0f;
}
