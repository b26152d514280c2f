// What CUDA kernels may say to hone beyond CUDA itself. Works under plain nvcc and Clang; hone reads it as what it means.
#pragma once
#pragma GCC system_header
#include <cooperative_groups.h>

// All threads of the grid wait here, and see what the others wrote before. Launch the kernel with
// cudaLaunchCooperativeKernel and no more blocks than fit on the device at once; every thread must get here, so no early
// return.
__device__ inline void hone_grid_sync() { cooperative_groups::this_grid().sync(); }
