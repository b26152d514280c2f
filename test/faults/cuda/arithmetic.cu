// Division by zero, assertions, traps, and resources beyond the target.

// run: --grid 1 --block 64 --set n=64 --length in=n --length out=n
__global__ void bad_divide(const int* in, int* out, int n) {
  int i = threadIdx.x;
  out[i] = in[i] / (i - 5);  // fault: divide-by-zero
  if (n == 0) out[i] = 0;
}
__global__ void good_divide(const int* in, int* out, int n) {
  int i = threadIdx.x;
  out[i] = i == 5 ? 0 : in[i] / (i - 5);
  if (n == 0) out[i] = 0;
}

__global__ void bad_remainder(const int* in, int* out, int n) {
  unsigned int part = n / 128;
  out[threadIdx.x] = in[threadIdx.x % part];  // fault: divide-by-zero or out-of-bounds
}
__global__ void good_remainder(const int* in, int* out, int n) {
  unsigned int part = n / 16;
  out[threadIdx.x] = in[threadIdx.x % part];
}

#include <assert.h>
__global__ void bad_assert(const int* in, int* out, int n) {
  assert(threadIdx.x < n - 1);  // fault: assert-failed
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void good_assert(const int* in, int* out, int n) {
  assert(threadIdx.x < n);
  out[threadIdx.x] = in[threadIdx.x];
}

__global__ void bad_trap(const int* in, int* out, int n) {
  if (threadIdx.x == n - 1) __trap();  // fault: trap
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void good_trap(const int* in, int* out, int n) {
  if (threadIdx.x >= n) __trap();
  out[threadIdx.x] = in[threadIdx.x];
}

// run: --grid 1 --block 64 --target gtx280 --length in=64 --length out=64
__global__ void bad_shared_size(const float* in, float* out) {  // fault: shared-too-large
  __shared__ float big[8192];
  big[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = big[threadIdx.x];
}
__global__ void good_shared_size(const float* in, float* out) {
  __shared__ float big[2048];
  big[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = big[threadIdx.x];
}

// run: --grid 1 --block 1024 --target gtx280 --length in=1024 --length out=1024
__global__ void bad_block_size(const float* in, float* out) {  // fault: block-too-large
  out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 512 --target gtx280 --length in=1024 --length out=1024
__global__ void good_block_size(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
