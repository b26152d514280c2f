// A recipe is verified at a launch that the kernel is clean at, where the first guess is none that it is meant
// for.
// RUN: %hone verify %s --recipe 'merge-threads(x=4, how=blocks)' | FileCheck %s
// RUN: %hone opt %s --offer --recipe 'merge-threads(x=4, how=blocks)' --diff 2>&1 | FileCheck --check-prefix=OPT %s
// CHECK: kernel `turn`: equal in
// CHECK-NEXT: block 32x8: equal
// CHECK: clean at this guess; at --set height=97 --set width=100 --grid 13x97 --block 8 there is a finding
// OPT: kernel `turn`: rewritten beside the original
__global__ void turn(const float* in, float* out, int width, int height) {
  __shared__ float tile[8][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  int thread = threadIdx.y * 32 + threadIdx.x;
  int tx = thread / 8, ty = thread % 8;
  x = blockIdx.x * 32 + tx;
  y = blockIdx.y * 8 + ty;
  if (x < width && y < height) out[x * height + y] = tile[ty][tx];
}
