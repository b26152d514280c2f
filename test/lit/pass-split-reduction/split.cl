// OpenCL has no shuffles everywhere: a warp's worth of work-items uses local memory.
// RUN: %hone verify %s --recipe split-reduction --reassociate | FileCheck --check-prefix=SAME %s
// RUN: %hone opt %s --recipe split-reduction --reassociate 2>/dev/null | FileCheck %s
// SAME: kernel `rows`: equal in
__kernel void rows(__global const float* a, __global const float* x, __global float* y, int w, int h) {
  int i = get_global_id(0);
  if (i < h) {
    float sum = 0;
    for (int j = 0; j < w; ++j) sum += a[i * w + j] * x[j];
    y[i] = sum;
  }
}
// CHECK: __local float sum_parts[
// CHECK: barrier(CLK_LOCAL_MEM_FENCE);

// What lane 0 stores was read by all: the first barrier orders global memory too.
// SAME: kernel `adds`: equal in
// CHECK: void adds_hone(
// CHECK: float y_sum = y[i];
// CHECK: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// CHECK: barrier(CLK_LOCAL_MEM_FENCE);
__kernel void adds(__global const float* a, __global float* y, int w, int h) {
  int i = get_global_id(0);
  if (i < h) {
    float y_sum = y[i];
    for (int j = 0; j < w; ++j) y_sum += a[i * w + j];
    y[i] = y_sum;
  }
}
