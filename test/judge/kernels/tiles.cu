// Tiles are loaded by threads that the kernel's own tests leave out, with indices that extreme arguments wrap.

// grid: (w + 31) / 32
// block: 32
// set: w=100
// set: w=33
// extreme: w=0xffffffffffffffff
// extreme: w=0x8000000000000000
// recipe: stage
// recipe: block(x=64) stage
__global__ void neighbours(const float* __restrict__ a, float* __restrict__ c, size_t w) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  if (x < w) {
    if (x >= 1 && x + 1 < w) {
      float v = a[x];
      v += a[x - 1];
      v += a[x];
      v += a[x + 1];
      c[x] = v + 1;
    }
  }
}

// grid: (w + 127) / 128
// block: 128
// set: w=200
// set: w=7
// extreme: w=-0x80000000
// extreme: w=-0x7fffffff
// extreme: w=-1
// recipe: stage
// recipe: stage(c, wide=4, layout=columns)
__global__ void reversed(const float* __restrict__ c, float* __restrict__ d, int w) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x < w) d[x] = c[w - 1 - x] * 2;
}

// grid: (sides + 15) / 16, (n - last + 15) / 16
// block: 16,16
// set: n=64 sides=32 first=0 last=16
// set: n=70 sides=33 first=16 last=32
// extreme: first=0x7fffffff
// extreme: first=0x7ffffff8
// extreme: first=-0x80000000 last=-0x80000000
// recipe: block(x=16, y=16) stage(depth=16)
// recipe: block(x=16, y=16) stage(depth=16) prefetch
// recipe: block(x=32, y=8) merge-threads(y=2) stage(depth=8) prefetch unroll
// recipe: block(x=128, y=128) merge-threads(x=8, y=8, how=groups) stage(depth=16, wide=4) prefetch(to=both)
__global__ void update(const float* l, const float* x, float* b, int n, int sides, int first, int last) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y + last;
  if (i < n && j < sides) {
    float sum = 0;
    for (int k = first; k < last; ++k) sum += l[i * n + k] * x[k * sides + j];
    b[i * sides + j] -= sum;
  }
}

// grid: (w + 15) / 16, (h + 15) / 16
// block: 16,16
// set: w=40 h=30 r=2
// set: w=17 h=3 r=0
// extreme: r=-0x80000000
// extreme: r=-1
// extreme: w=-0x80000000
// extreme: h=-0x80000000
// recipe: stage
// recipe: block(x=32, y=4) stage
// recipe: merge-threads(x=2) stage
// recipe: merge-blocks(x=2) split-border
__global__ void shifted(const float* a, float* b, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int d = 0; d <= r; ++d)
    if (x + d < w) s += a[y * w + x + d];
  b[y * w + x] = s;
}

// grid: (n + 63) / 64
// block: 64
// set: n=100 m=40
// set: n=64 m=1
// extreme: m=-0x80000000
// extreme: m=-5
// extreme: n=-0x80000000
// recipe: stage
// recipe: block(x=64) stage(depth=16)
// recipe: block(x=128) stage prefetch
// recipe: stage unroll
// recipe: block(x=64) vectorize
__global__ void products(const float* a, const float* v, float* y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int j = 0; j < m; ++j) s += a[i * m + j] * v[m - 1 - j];
    y[i] = s;
  }
}
