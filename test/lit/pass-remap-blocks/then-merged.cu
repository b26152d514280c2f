// A block behind the end of the grid takes the place of another one once blocks are renumbered: merging must not round the grid up without a
// guard. Found by random kernels.
// RUN: %hone verify %s --recipe 'block(x=8, y=8) remap-blocks(how=rows, group=4) merge-blocks(x=4, y=2)' --set w=37 --set h=41
// RUN: %hone verify %s --recipe 'block(x=16, y=16) remap-blocks(how=columns, group=4) merge-threads(x=2, y=4, how=blocks)' --set w=37 --set h=41
// RUN: %hone verify %s --recipe 'block(x=8, y=8) remap-blocks(how=diagonal) merge-threads(y=2, how=blocks)' --set w=37 --set h=41

__global__ void count(int* c, const int* a, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) c[y * w + x] += a[y * w + x];
}
