// CUDA to OpenCL: coordinates, shared memory, barriers, address spaces, names of functions; what has no equivalent gets a reason.
// RUN: %hone opt --recipe '' --emit opencl %s --kernel sums -o %t.cl 2>/dev/null
// RUN: FileCheck %s < %t.cl
// RUN: %clang_cl %t.cl
// RUN: not %hone opt --recipe '' --emit opencl %s --kernel votes 2>&1 | FileCheck --check-prefix=REASON %s

// CHECK: __kernel void sums(__global const float* x, __global float* out, int n)
// CHECK: __local float part[64];
// CHECK: get_group_id(0)
// CHECK: sqrt(
// CHECK: barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
__global__ void sums(const float* x, float* out, int n) {
  __shared__ float part[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? sqrtf(x[i]) : 0.0f;
  __syncthreads();
  if (threadIdx.x == 0) {
    float s = 0;
    for (int k = 0; k < 64; ++k) s += part[k];
    out[blockIdx.x] = s;
  }
}

// REASON: OpenCL has no
__global__ void votes(unsigned* x) { x[0] = __match_any_sync(0xffffffffu, x[threadIdx.x]); }
