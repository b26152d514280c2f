// Blocks merged after a prefetch: threads of a part that does not exist load nothing, and carry a register with a value all the same.
// RUN: %hone verify %s --recipe 'prefetch(to=registers) merge-blocks(x=16)' --grid '(w + 7) / 8, (h + 7) / 8' --block 8x8 --set h=34 --set k=18 --set w=33 | FileCheck %s
// RUN: %hone verify %s --recipe 'prefetch(to=registers) merge-threads(x=2)' --grid '(w + 7) / 8, (h + 7) / 8' --block 8x8 --set h=27 --set k=20 --set w=35 | FileCheck %s
// CHECK: kernel `product`: equal in {{[0-9]+}} runs
// CHECK-NOT: error
__global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int w, int h, int k) {
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  __shared__ float ta[8][8], tb[8][8];
  float sum = 0;
  for (int t = 0; t < k; t += 8) {
    ta[threadIdx.y][threadIdx.x] = y < h && t + (int)threadIdx.x < k ? a[y * k + t + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = t + (int)threadIdx.y < k && x < w ? b[(t + threadIdx.y) * w + x] : 0;
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (x < w && y < h) c[y * w + x] = sum;
}
