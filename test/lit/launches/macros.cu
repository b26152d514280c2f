// Launches that are written in the arguments of a macro are changed there; those that a macro makes are not.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
#define CHECKED(...) do { __VA_ARGS__; if (cudaGetLastError() != cudaSuccess) return; } while (0)
#define WRAPPED(call) call
#define SHOWN(...) (void)sizeof(#__VA_ARGS__), __VA_ARGS__
#define TOLD(text, ...) (void)sizeof(#text), __VA_ARGS__
#define JOINED(name, ...) scale_##name(0, ##__VA_ARGS__)
#define RETOLD(...) SHOWN(__VA_ARGS__)
#define TWO(a, b) a, b
#define MADE(k) k<<<4, 32>>>(a, b, n)
#define CONFIG 4, 32
#define REST 0, s
#define KERNEL scale
// REMARK: kernel `scale`: rewritten beside the original; 5 of 13 launches now call scale_launch
__global__ void scale(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * 2.0f;
}
void scale_all(int, int);
void host(float* a, float* b, int n, cudaStream_t s) {
  CHECKED(scale<<<4, 32>>>(a, b, n));
  // CHECK: CHECKED(scale_launch(4, 32, 0, 0, a, b, n));
  WRAPPED((scale<<<4, 32, 0, s>>>(a, b, n)));
  // CHECK: WRAPPED((scale_launch(4, 32, 0, s, a, b, n)));
  CHECKED(CHECKED(scale<<<4, /* threads */ 32>>>(a, b, n)));
  // CHECK: CHECKED(CHECKED(scale_launch(4, /* threads */ 32, 0, 0, a, b, n)));
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: the macro `SHOWN` around it may turn it into text
  SHOWN(scale<<<4, 32>>>(a, b, n));
  // CHECK: SHOWN(scale<<<4, 32>>>(a, b, n));
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: the macro `SHOWN` around it may turn it into text
  RETOLD(scale<<<4, 32>>>(a, b, n));
  void* args[] = {&a, &b, &n};
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: the macro `SHOWN` around it may turn it into text
  SHOWN(cudaLaunchKernel((const void*)scale, dim3(4), dim3(32), args, 0, s));
  // CHECK: SHOWN(cudaLaunchKernel((const void*)scale, dim3(4), dim3(32), args, 0, s));
  TOLD(scale of b, scale<<<4, 32>>>(a, b, n));
  // CHECK: TOLD(scale of b, scale_launch(4, 32, 0, 0, a, b, n));
  JOINED(all, (scale<<<4, 32>>>(a, b, n), 1));
  // CHECK: JOINED(all, (scale_launch(4, 32, 0, 0, a, b, n), 1));
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: it {{comes out of|stands in several arguments of}} a macro
  TWO(scale<<<4, 32>>>(a, b, n));
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: it comes out of a macro
  MADE(scale);
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: parts of it come out of a macro
  scale<<<CONFIG>>>(a, b, n);
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: parts of it come out of a macro
  scale<<<4, 32, REST>>>(a, b, n);
  // CHECK: scale<<<4, 32, REST>>>(a, b, n);
  // REMARK: macros.cu:[[#@LINE+1]]: kernel `scale`: launch left as it is: it comes out of a macro
  KERNEL<<<4, 32>>>(a, b, n);
}
