// The kernels alone, in the other language and in their own.
// RUN: rm -rf %t && mkdir %t
// RUN: %hone opt %s --recipe '' --emit opencl -o %t/k.cl --json %t/k.json 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck --check-prefix=CL %s < %t/k.cl
// RUN: %clang_cl %t/k.cl
// RUN: %hone opt %s --recipe '' --emit cuda 2> /dev/null | FileCheck --check-prefix=CUDA %s
// RUN: %hone opt %s --recipe '' --emit opencl --kernel scale 2> /dev/null | FileCheck --check-prefix=ONE %s
// RUN: FileCheck --check-prefix=JSON %s < %t/k.json
#define FACTOR 3

__device__ float twice(float x) { return 2 * x; }

// REMARK: emit_other.cu:[[@LINE+1]]: kernel `scale`: emitted as OpenCL
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = twice(x[i]) * FACTOR;
}

// REMARK: kernel `ballot`: left alone: {{.*}}
__global__ void ballot(unsigned* x) { x[threadIdx.x] = __match_any_sync(0xffffffffu, x[threadIdx.x]); }

void host(float* x) { scale<<<1, 32>>>(x, 32); }

// CL: twice(float x)
// CL: {{__kernel|kernel}} void scale(
// CL-NOT: ballot
// CL-NOT: host

// CUDA: __device__ {{.*}}twice(float x)
// CUDA: __global__ void scale(
// CUDA: __global__ void ballot(
// CUDA-NOT: host

// ONE: void scale(
// ONE-NOT: ballot

// JSON: "emit": "opencl"
// JSON: "name": "scale"
// JSON: "done": true
// JSON: "name": "ballot"
// JSON: "done": false

// The input is never overwritten, and patching options make no sense here.
// RUN: cp %s %t/x.cu
// RUN: sh -c '%hone opt %t/x.cu --recipe "" --emit cuda -o %t; test $? -eq 2' 2>&1 | FileCheck --check-prefix=OVER %s
// OVER: would overwrite the original
// RUN: sh -c '%hone opt %t/x.cu --recipe "" --emit cuda --in-place; test $? -eq 2' 2>&1 | FileCheck --check-prefix=PLACE %s
// PLACE: --emit makes a new file
// RUN: sh -c '%hone opt %t/x.cu --recipe "" --emit opencl --kernel ballot -o %t/none.cl; test $? -eq 1' 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: no kernel could be emitted as OpenCL
// RUN: not ls %t/none.cl
// RUN: sh -c '%hone opt %t/x.cu --recipe "" --emit metal; test $? -eq 2' 2>&1 | FileCheck --check-prefix=METAL %s
// METAL: metal
