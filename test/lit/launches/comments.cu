// Comments between the parts of a launch stay, and a launch with lines of the preprocessor inside stays as it is.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// REMARK: kernel `scale`: rewritten beside the original; 5 of 7 launches now call scale_launch
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
__device__ float data[1024];
__global__ void clear() {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1024) data[i] = 0;
}
static int next(int& n) { return ++n; }
// CHECK: void host
void host(float* a, float* b, int n, cudaStream_t s) {
  // CHECK-NEXT: scale_launch /*x*/ ( /* g<<<h */ 4, /*>>>*/ 5, 0, 0, /*q*/ a, b, n);
  scale /*x*/ <<< /* g<<<h */ 4, /*>>>*/ 5 >>> /*q*/ (a, b, n);
  // CHECK-NEXT: scale_launch(4, // blocks
  // CHECK-NEXT:   32, 0, 0, a, b, // arrays
  // CHECK-NEXT:   n);
  scale<<<4, // blocks
    32>>>(a, b, // arrays
          n);
  // CHECK: scale_launch(4, 32, // bytes
  // CHECK-NEXT: 16 // few
  // CHECK-NEXT: , 0, // all
  // CHECK-NEXT: a, b, n);
  scale<<<4, 32, // bytes
  16 // few
  >>> // all
  (a, b, n);
  // CHECK: /* first */ [&](dim3 grid) { scale_launch(grid, 32, 0, 0, a, b, n); }(next(n));
  scale<<</* first */ next(n), 32>>>(a, b, n);
  void* args[] = {&a, &b, &n};
  // CHECK: /* the arguments */ /* none */ scale_launch(dim3(4), dim3(32 /* threads */), 0, s, a, b, n);
  cudaLaunchKernel((void*)scale, dim3(4), dim3(32 /* threads */), args /* the arguments */, /* none */ 0, s);
  // CHECK: clear_launch(32, 32, 0, 0 /* none */);
  clear<<<32, 32>>>(/* none */);
  // REMARK: comments.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: lines of the preprocessor stand inside it
  scale<<<
#ifdef X
      4
#else
      5
#endif
      , 32>>>(a, b, n);
  // CHECK: scale<<<
  // CHECK-NEXT: #ifdef X
  // REMARK: comments.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: lines of the preprocessor stand inside it
  scale<<<4, 32>>>(a, b,
#ifdef X
      n / 2
#else
      n
#endif
  );
}
