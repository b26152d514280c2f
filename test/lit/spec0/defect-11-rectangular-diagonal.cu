// The diagonal order as it was first published, `y = x; x = (x + y) % gridDim.x`, meets each block once on square grids only: on others some
// blocks run twice and some never. Every block writes its own number here.
// RUN: %hone verify %s --exact --recipe 'remap-blocks(how=diagonal)' --kernel order --set w=4 --set h=8 --grid 4x8 --block 1 | FileCheck %s
// RUN: %hone verify %s --exact --recipe 'remap-blocks(how=diagonal)' --kernel order --set w=8 --set h=4 --grid 8x4 --block 1 | FileCheck %s
// RUN: %hone verify %s --exact --recipe 'remap-blocks(how=diagonal)' --kernel order --set w=6 --set h=9 --grid 6x9 --block 1 | FileCheck %s
// RUN: %hone verify %s --exact --recipe 'remap-blocks(how=diagonal)' --kernel order --set w=5 --set h=7 --grid 5x7 --block 1 | FileCheck %s
// RUN: %hone verify %s --exact --recipe 'remap-blocks(how=diagonal)' --kernel order --set w=1 --set h=7 --grid 1x7 --block 1 | FileCheck %s
// RUN: %hone verify %s --exact --recipe 'remap-blocks(how=diagonal) merge-blocks(x=2)' --kernel order --set w=5 --set h=7 --grid 5x7 --block 1 | FileCheck %s
// CHECK: kernel `order`: equal in 1 run
// The first form is found out by the same means.
// RUN: not %hone verify %s --exact --kernel order --with published --set w=5 --set h=7 --grid 5x7 --block 1 | FileCheck --check-prefix=FOUND %s
// FOUND: kernel `order`: NOT EQUAL
__global__ void order(int* seen, int w, int h) {
  int x = blockIdx.x, y = blockIdx.y;
  seen[y * w + x] += x + 100 * y;
}

__global__ void published(int* seen, int w, int h) {
  int y = blockIdx.x, x = (blockIdx.x + blockIdx.y) % gridDim.x;
  if (x < w && y < h) seen[y * w + x] += x + 100 * y;
}
