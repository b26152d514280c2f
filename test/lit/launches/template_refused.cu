// Launches of templates that stay as they are, and why.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu -- -std=c++20 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx -std=c++20 %t.cu
#define PARAMETERS template <typename T>
#define KERNEL pointed<float>

PARAMETERS
__global__ void hidden(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
template <typename T, int>
__global__ void nameless(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
template <typename T>
requires(sizeof(T) > 2)
__global__ void required(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
template <typename T, typename U, int N = 3>
__global__ void spread(T* x, int n, U by = 1);
template <typename T, typename U = int, int N>
__global__ void spread(T* x, int n, U by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
template <typename T
#if 1
          ,
          int N = 3
#endif
          >
__global__ void divided(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= N;
}
template <typename T>
__global__ void pointed(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
template <typename T>
__global__ void either(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
template <typename T>
__global__ void either(T** x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = nullptr;
}
template <typename T>
__global__ void special(T* x, int n);
template <>
__global__ void special<float>(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
// Defaults may stand in a declaration before the definition.
template <typename T, int N = 3>
__global__ void declared(T* x, int n, T by = 1);
template <typename U, int N>
__global__ void declared(U* x, int n, U by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by + N;
}
// CHECK: Launches declared itself
// CHECK: template <typename T, int N = 3>
// CHECK-NEXT: static inline void declared_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, T* x, int n,
// CHECK-NEXT: T by = 1) {
// CHECK-NEXT: declared<T, N><<<grid, block, shared, stream>>>(x, n, by);
// The parameters that a launch can leave out need no name.
template <typename T, typename = T>
__global__ void optional(T* x, int) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 99) x[i] *= 2;
}
// CHECK: static inline void optional_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, T* x,
// CHECK-NEXT: int argument_2) {
// CHECK-NEXT: optional<T><<<grid, block, shared, stream>>>(x, argument_2);
// CHECK: inline void optional_launch<float, float>(

template <typename T>
void host(T x, int n) {
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `hidden<float>`: launch left as it is: the parameters of its template are not written where it stands
  hidden<<<n / 32, 32>>>(x, n);
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `nameless<float, 8>`: launch left as it is: a parameter of its template has no name
  nameless<float, sizeof(T)><<<n / 32, 32>>>(x, n);
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `required<float>`: launch left as it is: its template has a requires clause
  required<<<n / 32, 32>>>(x, n);
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `spread<float, int, 3>`: launch left as it is: the default arguments of its template stand in several declarations
  spread<<<n / 32, 32>>>(x, n);
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `divided<float, 3>`: launch left as it is: lines of the preprocessor stand among the parameters of its template
  divided<<<n / 32, 32>>>(x, n);
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `special<float>`: launch left as it is: its template has no body in sight
  special<<<n / 32, 32>>>((float*)x, n);
  // CHECK: declared_launch<float>(n / 32, 32, 0, 0, x, n);
  declared<float><<<n / 32, 32>>>(x, n);
  // CHECK: optional_launch(n / 32, 32, 0, 0, (float*)x, n);
  optional<<<n / 32, 32>>>((float*)x, n);
}
template <typename T>
void several(T x, int n) {
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `either<float>`: launch left as it is: template parameters decide which of several kernels it launches
  either<<<n / 32, 32>>>(x, n);
}
void run(float* x, float** y, int n) {
  host(x, n);
  several(x, n);
  several(y, n);
  void* arguments[] = {&x, &n};
  // REMARK-DAG: template_refused.cu:[[#@LINE+1]]: kernel `pointed<float>`: launch left as it is: a macro names its kernel
  cudaLaunchKernel((const void*)KERNEL, n / 32, 32, arguments, 0, 0);
  // Arguments that mean one thing everywhere do without a template.
  // CHECK: special_float_launch(n / 32, 32, 0, 0, x, n);
  special<float><<<n / 32, 32>>>(x, n);
}
