// Narrow and unsigned counters beside named constants; ids of several types.

// grid: (n + 31) / 32
// block: 32
// set: n=100
// recipe: merge-blocks(x=2)
// recipe: merge-threads(x=2, how=adjacent)
// recipe: merge-threads(x=4)
__global__ void launchSizes(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * gridDim.x + blockDim.x;
}

// grid: (n + 31) / 32
// block: 32
// set: n=100
// set: n=255
// recipe: block(x=64) vectorize(threads=4)
// recipe: block(x=64)
// recipe: merge-threads(x=2)
__global__ void narrowId(const float* a, float* b, int n) {
  unsigned char i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}

// grid: (n + 31) / 32
// block: 32
// set: n=40 m=3 e=20
// set: n=5 m=-4 e=9
// extreme: m=0x7ff0 e=0x7fff
// extreme: m=40000 e=7
// recipe: unroll(by=2)
// recipe: split-reduction
// recipe: rotate-loop(width=3)
__global__ void shortCounter(const int* a, int* b, int n, int m, int e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = a[i];
  for (short q = (short)m; q < e; ++q) s -= q * 3;
  b[i] = s;
}

// grid: (w + 31) / 32
// block: 32
// set: w=40 h=11
// set: w=3 h=2
// recipe: rotate-loop(width=3)
// recipe: unroll(by=4)
// recipe: split-reduction(over=warp)
__global__ void unsignedCounter(const int* a, int* b, unsigned w, unsigned h) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  int s = 0;
  for (unsigned y = 0; y < h; ++y) s += a[y * w + x];
  b[x] = s;
}

// grid: (n + 31) / 32
// block: 32
// set: n=40 m=3 e=20
// set: n=5 m=1 e=9
// extreme: m=-3 e=-1
// recipe: unroll(by=2)
// recipe: unroll(by=4) block(x=64)
__global__ void twoCounters(const int* a, int* b, int n, int m, int e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int s = 0;
  for (unsigned j = m; j < (unsigned)e; j++) s += a[i] ^ (int)j;
  for (short q = (short)m; q < e; ++q) s += q;
  b[i] = s;
}

// grid: (w + 31) / 32
// block: 32
// set: w=40 h=11
// set: w=3 h=2
// extreme: h=0
// recipe: rotate-loop unroll
// recipe: unroll(by=5) split-reduction(over=grid, rows=1)
__global__ void wideCounter(const int* a, int* b, size_t w, size_t h) {
  size_t x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  int s = 0;
  for (size_t y = 0; y < h; ++y) s += a[y * w + x];
  b[x] = s;
}

// grid: (w + 15) / 16, (h + 15) / 16
// block: 16, 16
// set: w=40 h=21
// set: w=64 h=48
// recipe: stage
// recipe: remap-blocks(how=columns, group=4)
// recipe: merge-blocks(x=4) merge-threads(x=2)
__global__ void narrowPlane(const unsigned char* __restrict__ a, unsigned char* __restrict__ b, unsigned short w,
                            unsigned short h) {
  unsigned short x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}
