// The barrier of hone.clh: imported as a barrier of the grid, printed back, compiled by an OpenCL compiler as it is.
// RUN: %hone explain --dump-ir %s | FileCheck %s --check-prefix=IR
// RUN: %hone opt %s --recipe '' -o %t.cl
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl -I %source/runtime/include %t.cl
// RUN: %hone opt %s --recipe '' --emit opencl -o %t2.cl
// RUN: FileCheck %s --check-prefixes=ALONE,CHECK < %t2.cl
// RUN: %clang_cl -I %source/runtime/include %t2.cl
// RUN: %hone opt %s --recipe '' --emit cuda -o %t.cu
// RUN: FileCheck %s --check-prefix=CUDA < %t.cu
// RUN: %hone verify %s %t.cu --grid 4 --block 32 --length a=128 | FileCheck %s --check-prefix=EQUAL
// ALONE: #include <hone.clh>
#include <hone.clh>

// EQUAL: kernel `halve`: equal
__kernel void halve(__global int* a) {
  int i = get_global_id(0);
  for (int s = 64; s > 0; s /= 2) {
    // IR: barrier grid
    // CHECK: hone_grid_sync();
    // CUDA: cooperative_groups::this_grid().sync();
    hone_grid_sync();
    if (i < s) a[i] += a[i + s];
  }
}
