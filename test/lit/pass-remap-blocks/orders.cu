// RUN: %hone opt %s --recipe 'remap-blocks(how=diagonal)' --kernel transpose 2> %t.diagonal.err | FileCheck --check-prefix=DIAGONAL %s
// RUN: %hone opt %s --recipe 'remap-blocks(how=columns, group=4)' --kernel transpose 2> /dev/null | FileCheck --check-prefix=COLUMNS %s
// RUN: %hone opt %s --recipe 'remap-blocks(how=rows, group=4)' --kernel transpose 2> /dev/null | FileCheck --check-prefix=ROWS %s

// Every block once, on grids that are and are not square, narrower and wider than a group.
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=diagonal)' --set w=4 --set h=8 --grid 4x8 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=diagonal)' --set w=8 --set h=4 --grid 8x4 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=diagonal)' --set w=6 --set h=9 --grid 6x9 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=diagonal)' --set w=5 --set h=7 --grid 5x7 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=columns, group=4)' --set w=5 --set h=7 --grid 5x7 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=columns, group=4)' --set w=3 --set h=9 --grid 3x9 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=columns)' --set w=1 --set h=9 --grid 1x9 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=rows, group=4)' --set w=5 --set h=7 --grid 5x7 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel order --exact --recipe 'remap-blocks(how=rows, group=4)' --set w=9 --set h=2 --grid 9x2 --block 1 | FileCheck --check-prefix=EQUAL %s
// RUN: %hone verify %s --kernel transpose --recipe 'remap-blocks(how=diagonal)' --set w=100 --set h=37 --block 16x16 | FileCheck --check-prefix=ALL %s
// RUN: %hone verify %s --kernel transpose --recipe 'remap-blocks(how=columns, group=3)' --set w=100 --set h=37 --block 16x16 | FileCheck --check-prefix=ALL %s
// EQUAL: kernel `order`: equal in 1 run
// ALL: kernel `transpose`: equal in

// DIAGONAL: __global__ void transpose(
// DIAGONAL-NEXT: // Blocks run along the diagonals of the grid, so that neighbours ask different memory
// DIAGONAL: const unsigned int block_x = blockIdx.x;
// DIAGONAL-NEXT: const unsigned int block_y = (blockIdx.x + blockIdx.y) % gridDim.y;
// DIAGONAL-NEXT: int x = block_x * blockDim.x + threadIdx.x, y = block_y * blockDim.y + threadIdx.y;
// COLUMNS: const unsigned int first_row = blockIdx.y / {{.*}} * {{.*}};
// COLUMNS-NEXT: const unsigned int rows =
// COLUMNS: const unsigned int columns = gridDim.x / rows;
// COLUMNS: block_x * blockDim.x + threadIdx.x
// ROWS: const unsigned int first_column =
__global__ void transpose(const float* a, float* b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) b[x * h + y] = a[y * w + x];
}

// Each block says which it is: what is left out or done twice shows.
__global__ void order(int* seen, int w, int h) {
  if (blockIdx.x < w && blockIdx.y < h) seen[blockIdx.y * w + blockIdx.x] += gridDim.x * 100 + blockIdx.y;
}
