// Unsigned products of several factors, which wrap where tests of overlap and range must not.

// grid: (n + 31) / 32
// block: 32
// set: n=40 d=5 s=3
// set: n=1 d=5 s=1
// extreme: n=1 d=5 s=0xffffffff
// extreme: n=20 d=5 s=0xffffffff
// overlap: a b 1
// recipe: promote
// recipe: block(x=64) promote
// recipe: unroll(by=2)
// recipe: move-pointers
__global__ void squared(const float* a, float* b, unsigned n, unsigned d, unsigned s) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (unsigned j = 0; j < d; ++j) b[x] += a[j * s * s + x];
}

// grid: (w + 15) / 16, (h + 3) / 4
// block: 16,4
// set: w=20 h=9 d=5 s=9 t=20
// set: w=3 h=1 d=20 s=2 t=3
// extreme: h=1 d=20 s=0xffffffff t=0xffffffff
// extreme: s=0xffffffff t=0xffffffff
// overlap: a b 1
// overlap: a b 20
// recipe: move-pointers
// recipe: move-pointers(a)
// recipe: block(x=16, y=4) stage
// recipe: promote
// recipe: block(x=16, y=4) stage(a)
__global__ void planes(const float* a, float* b, unsigned w, unsigned h, unsigned d, unsigned s, unsigned t) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    for (unsigned j = 0; j < d; ++j) b[y * w + x] += a[(j * s + y) * t + x];
}
