// Classes of libraries that stand-ins exist for are run, and not rewritten.
// RUN: %hone explain %s 2>&1 | FileCheck %s
#include <cub/cub.cuh>
#include <thrust/complex.h>

// CHECK-LABEL: kernel `sumOfBlock`
// CHECK-NEXT: left alone: type 'cub::{{.*}}' of a library that hone has a stand-in for, for running alone ({{.*}}:[[@LINE+2]])
__global__ void sumOfBlock(const float* x, float* y) {
  __shared__ typename cub::BlockReduce<float, 128>::TempStorage temp;
  float sum = cub::BlockReduce<float, 128>(temp).Sum(x[threadIdx.x]);
  if (threadIdx.x == 0) y[0] = sum;
}

// CHECK-LABEL: kernel `squares`
// CHECK-NEXT: left alone: type 'thrust::complex' of a library that hone has a stand-in for, for running alone ({{.*}}:[[@LINE+1]])
__global__ void squares(thrust::complex<float>* z) { z[threadIdx.x] = z[threadIdx.x] * z[threadIdx.x]; }
