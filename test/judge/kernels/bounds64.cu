// Tests before a launch that would overflow in 64 bits: "no limit" as an argument is real code.

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// extreme: n=0xffffffffffffffff
// extreme: n=0x8000000000000000
// recipe: block(x=64)
// recipe: block(x=64) vectorize
// recipe: merge-threads(x=2)
__global__ void noLimit(const float* a, float* b, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}

// grid: (200 - n + 31) / 32
// block: 32
// set: n=100
// set: n=150
// extreme: n=-0x8000000000000000
// extreme: n=-0x7ffffffffffffff6
// recipe: block(x=64)
// recipe: merge-blocks(x=2)
__global__ void shiftedBound(const float* a, float* b, long long n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + n < 200) b[i] = a[i] * 2.0f;
}

// grid: (n + m + 31) / 32
// block: 32
// set: n=100 m=3
// set: n=33 m=0
// extreme: n=100 m=0x7fffffffffffffff
// recipe: block(x=64)
// recipe: merge-threads(x=2, how=adjacent)
__global__ void difference(const float* a, float* b, long long n, long long m) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i - m < n) b[i] = a[i] * 2.0f;
}

// grid: (n * m + 31) / 32
// block: 32
// set: n=7 m=9
// set: n=1 m=32
// extreme: n=0xffffffff m=0xffffffff
// recipe: block(x=64)
__global__ void productBound(const float* a, float* b, unsigned n, unsigned m) {
  unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (unsigned long long)n * m) b[i] = a[i] * 2.0f;
}

// grid: (w + 31) / 32
// block: 32
// set: w=64 h=9
// set: w=33 h=2
// extreme: w=0xffffffffffffffff h=1
// extreme: w=0xffffffffffffffff h=7
// extreme: w=0x8000000000000000 h=1
// extreme: w=0x8000000000000000 h=7
// recipe: block(x=64)
// recipe: promote
// recipe: block(x=64) stage
// recipe: block(x=64) promote vectorize
__global__ void columns(const float* a, float* b, size_t w, size_t h) {
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  for (size_t y = 0; y < h; ++y) b[x] += a[y * w + x];
}

// grid: (w + 31) / 32
// block: 32
// set: w=64 h=40
// set: w=3 h=100
// extreme: w=0xffffffffffffffff h=7
// extreme: w=0x8000000000000000 h=7
// recipe: split-reduction
// recipe: split-reduction(over=block)
// recipe: split-reduction(over=grid)
__global__ void columnSums(const int* a, int* b, size_t w, size_t h) {
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (x < w) {
    int s = 0;
    for (size_t y = 0; y < h; ++y) s += a[y * w + x];
    b[x] = s;
  }
}

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// extreme: n=0x8000000000000000
// extreme: n=0xffffffffffffffff
// recipe: block(x=64)
__global__ void plusOne(const float* a, float* b, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n + 1) b[i] = a[i] * 2.0f;
}

// Of one thread, which never works out n - 1; threads on top of it would.
// grid: 1
// block: 1
// set: n=100
// set: n=3
// extreme: n=-0x80000000
// recipe: block(x=64)
// recipe: block(x=64) vectorize(threads=4)
__global__ void innerOnly(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) b[i] = a[i] * 2.0f;
}

// grid: 1
// block: 1
// set: n=100
// set: n=3
// extreme: n=-0x8000000000000000
// recipe: block(x=64)
__global__ void innerOnlyWide(const float* a, float* b, long long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i <= n - 1) b[i] = a[i] * 2.0f;
}

// The sum is the largest number for the last thread of the launch, and past it for those on top.
// grid: 1
// block: 32
// set: n=100 k=70
// set: n=3 k=-5
// extreme: n=0x7fffffff k=0x7fffffe0
// recipe: block(x=64)
__global__ void largestSum(const float* a, float* b, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + k < n) b[i] = a[i] * 2.0f;
}
