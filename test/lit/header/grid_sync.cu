// The barrier of hone.h: found without a flag and with one, imported as a barrier of the grid, compiled by nvcc and Clang as it is.
// RUN: %hone explain --dump-ir %s | FileCheck %s --check-prefix=IR
// RUN: %hone explain --dump-ir %s -- -I %source/runtime/include | FileCheck %s --check-prefix=IR
// RUN: %hone opt %s --recipe '' -o %t.cu
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx -isystem %source/runtime/include/cuda_stub -I %source/runtime/include %t.cu
// RUN: %clang_cuda_ptx -isystem %source/runtime/include/cuda_stub -I %source/runtime/include %s
// RUN: %if nvcc %{ %nvcc -arch=sm_90 -std=c++17 -I %source/runtime/include -ptx -o /dev/null %s %}
// RUN: %hone check %s --kernel halve --grid 4 --block 32 --length a=128 | FileCheck %s --check-prefix=CLEAN
// RUN: not %hone check %s --kernel by_blocks --grid 4 --block 32 --length a=128 | FileCheck %s --check-prefix=RACE
#include <hone.h>

// CLEAN: kernel `halve`: clean
__global__ void halve(int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 64; s > 0; s /= 2) {
    // IR: barrier grid
    // CHECK: cooperative_groups::this_grid().sync();
    hone_grid_sync();
    if (i < s) a[i] += a[i + s];
  }
}

// RACE: race
__global__ void by_blocks(int* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 64; s > 0; s /= 2) {
    __syncthreads();
    if (i < s) a[i] += a[i + s];
  }
}
