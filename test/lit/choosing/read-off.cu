// Sizes that callers hand over are read, not guessed; defaults of the command line are the least to choose at.
// RUN: %hone opt %s --diff -v 2>&1 | FileCheck %s
// CHECK-DAG: kernel `half`: left as it is: at n=1000, as read off one of its launches: too short to be faster
// CHECK-DAG: kernel `turn`: estimated {{.*}} times faster on h200 (GUESSED: h=4096 w=4096;
__global__ void half(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 0.5f;
}

__global__ void turn(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

static void halve(float* a, int n) { half<<<(n + 255) / 256, 256>>>(a, n); }

int main(int argc, char** argv) {
  const int w = argc > 1 ? argv[1][0] : 100, h = argc > 2 ? argv[2][0] : 60;
  float *a, *b;
  cudaMalloc(&a, 1 << 20);
  cudaMalloc(&b, 1 << 20);
  halve(a, 1000);
  halve(b, 3000);
  turn<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(a, b, w, h);
  return cudaDeviceSynchronize();
}
