// A tile that could be filled once along x gets a copy for each block after all, since it is filled where it is asked whether the block exists: what those beyond the
// grid would read of theirs, nobody has filled. Found by random kernels.
// RUN: %hone verify %s --recipe 'vectorize(a, width=2, threads=8) merge-blocks(x=4, y=2)' --exact --assume-noalias --block 8,8,1 --grid '(w + 7) / 8, (h + 7) / 8' --set h=24 --set k=15 --set w=24 | FileCheck %s
// CHECK: equal in 1 run
// CHECK-NOT: error
__global__ void product(const int* a, const int* b, int* c, int w, int h, int k) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  __shared__ int ta[8][8], tb[8][8];
  int sum = 0;
  for (int t = 0; t < k; t += 8) {
    ta[threadIdx.y][threadIdx.x] = y < h && t + (int)threadIdx.x < k ? a[y * k + t + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = t + (int)threadIdx.y < k && x < w ? b[(t + threadIdx.y) * w + x] : 0;
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (x < w && y < h) c[y * w + x] = sum;
}
