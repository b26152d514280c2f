// RUN: %hone verify %s --recipe unflatten --kernel permute --block 64 --grid 141 --set d1=3 --set d2=5 --set d3=18 --set d4=33 | FileCheck --check-prefix=PERMUTE %s
// RUN: %hone verify %s --recipe unflatten --kernel permute --block 64 --grid 20 --set d1=3 --set d2=5 --set d3=18 --set d4=33 | FileCheck --check-prefix=SMALL %s
// RUN: %hone verify %s --recipe 'unflatten(levels=1)' --kernel permute --block 64 --grid 141 --set d1=3 --set d2=5 --set d3=18 --set d4=33 | FileCheck --check-prefix=PERMUTE %s
// RUN: %hone verify %s --recipe 'block(x=96) unflatten' --kernel permute --block 64 --grid 141 --set d1=3 --set d2=5 --set d3=18 --set d4=33 | FileCheck --check-prefix=PERMUTE %s
// RUN: %hone verify %s --recipe 'unflatten block(x=8,y=4,z=2)' --kernel permute --block 64 --grid 141 --set d1=3 --set d2=5 --set d3=18 --set d4=33 | FileCheck --check-prefix=PERMUTE %s
// RUN: %hone verify %s --recipe 'unflatten(x=64,y=2) merge-threads(y=2)' --kernel bias --block 64 --grid 141 --set rows=15 --set n=601 | FileCheck --check-prefix=BIAS %s
// RUN: %hone verify %s --recipe unflatten --kernel split --block 64 --grid 141 --set batches=3 --set steps=5 --set heads=18 --set size=33 | FileCheck --check-prefix=SPLIT %s
// RUN: %hone verify %s --recipe unflatten --kernel joined --block 64 --grid 141 --set a=5 --set b=18 --set c=7 --set n=50 | FileCheck --check-prefix=JOINED %s
// RUN: %hone verify %s --recipe unflatten --kernel masks --block 64 --grid 40 --set n=2501 | FileCheck --check-prefix=MASKS %s
// RUN: %hone verify %s --recipe unflatten --kernel wide --block 64 --grid 40 --set n=2501 --set w=17 | FileCheck --check-prefix=WIDE %s
// RUN: %hone verify %s --recipe unflatten --kernel all --block 64 --grid 40 --set w=17 --set h=160 | FileCheck --check-prefix=ALL %s
// RUN: %hone opt %s --recipe unflatten -o - 2>/dev/null | FileCheck --check-prefix=TEXT %s

// Four levels: the two innermost are axes, the others share one. The remainder that the guard makes needless is gone.
// PERMUTE: kernel `permute`: equal in
// SMALL: kernel `permute`: equal in
// TEXT-LABEL: namespace permute_hone
// TEXT: int i4 = blockIdx.x * blockDim.x + threadIdx.x;
// TEXT: if (i4 < d4 && i3 < d3 && plane < d1 * d2) {
// TEXT: int i = plane * (d3 * d4) + i3 * d4 + i4;
// TEXT-NEXT: int i1 = plane / d2;
// TEXT-NEXT: int i2 = plane % d2;
// TEXT-LABEL: permute_launch(
// TEXT: d4 > 0 && d3 > 0 && d2 > 0 && d1 > 0
// TEXT: (long long)d1 * d2 * d3 * d4 <= threads_x
__global__ void permute(const float* in, float* out, int d1, int d2, int d3, int d4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < d1 * d2 * d3 * d4) {
    int i1 = (i / (d2 * d3 * d4)) % d1;
    int i2 = (i / (d3 * d4)) % d2;
    int i3 = (i / d4) % d3;
    int i4 = i % d4;
    out[i4 * (d3 * d1 * d2) + i3 * (d1 * d2) + i1 * d2 + i2] = in[i];
  }
}

// One level, and the id itself as a place in memory.
// BIAS: kernel `bias`: equal in
// TEXT-LABEL: namespace bias_hone
// TEXT: if (column < n && row < rows) {
// TEXT-NEXT: int i = row * n + column;
// TEXT-NEXT: out[i] += b[column];
__global__ void bias(float* out, const float* b, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * n) return;
  out[i] += b[i % n];
}

// What is left of the id goes through one variable.
// SPLIT: kernel `split`: equal in
// TEXT-LABEL: namespace split_hone
// TEXT: int b = plane / heads;
// TEXT-NEXT: int h = plane % heads;
// TEXT-NOT: rest
// TEXT-LABEL: split_launch(
__global__ void split(float* q, const float* in, int batches, int steps, int heads, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int channels = heads * size;
  if (i < batches * channels * steps) {
    int b = i / (channels * steps);
    int rest = i % (channels * steps);
    int h = rest / (steps * size);
    rest = rest % (steps * size);
    int t = rest / size;
    rest -= t * size;
    q[i] = in[b * steps * channels + t * channels + h * size + rest];
  }
}

// The id itself is divided, behind a return, by a sum.
// JOINED: kernel `joined`: equal in
// TEXT-LABEL: namespace joined_hone
// TEXT: const int column = blockIdx.y * blockDim.y + threadIdx.y;
// TEXT: if (k < n && column < a + b && row < c) {
__global__ void joined(const float* one, const float* other, float* out, int a, int b, int c, int n) {
  int count = c * n * (a + b);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float* to = out + i;
  int k = i % n;
  i = i / n;
  const int column = i % (a + b);
  int row = i / (a + b);
  if (column < a)
    *to = one[(row * a + column) * n + k];
  else
    *to = other[(row * b + column - a) * n + k];
}

// Rows of a number of ids that blocks divide, and a last one that is not whole.
// MASKS: kernel `masks`: equal in
// TEXT-LABEL: namespace masks_hone
// TEXT: unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
// TEXT-NOT: if (column
// TEXT: unsigned int i = row * 64u + column;
// TEXT-NEXT: if (i < n) {
// TEXT-NEXT: out[i] = in[column * 128 + row];
__global__ void masks(float* out, const float* in, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i & 63) * 128 + (i >> 6)];
}

// 64 bits, and a bound that the rows do not fill.
// WIDE: kernel `wide`: equal in
// TEXT-LABEL: namespace wide_hone
// TEXT: long long i = row * w + column;
__global__ void wide(float* out, const float* in, long long n, size_t w) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - i / w * w] + in[i / w];
}

// Without a bound there are as many ids as the launch has threads.
// ALL: kernel `all`: equal in
// TEXT-LABEL: namespace all_hone
// TEXT: if (column < w && row * w + column < threads) {
__global__ void all(float* out, const float* in, int w, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i % w * h + i / w];
}

void host(float* a, float* b) {
  permute<<<1, 64>>>(a, b, 1, 2, 3, 4);
  bias<<<1, 64>>>(a, b, 1, 2);
  split<<<1, 64>>>(a, b, 1, 2, 3, 4);
  joined<<<1, 64>>>(a, a, b, 1, 2, 3, 4);
  masks<<<1, 64>>>(a, b, 64);
  wide<<<1, 64>>>(a, b, 64, 8);
  all<<<1, 64>>>(a, b, 8, 8);
}
