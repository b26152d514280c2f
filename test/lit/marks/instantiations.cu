// Instantiations of one template are rewritten and taken back one by one: the template of launch functions, and the calls of it, stay as long as one of them does.
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel 'scale<float>' --in-place --no-verify 2>&1 | FileCheck %s --check-prefix=FLOAT
// RUN: cp %t/k.cu %t/float.cu && %clang_cuda_ptx %t/float.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=128)' --kernel 'scale<double>' --in-place --no-verify 2>&1 | FileCheck %s --check-prefix=DOUBLE
// RUN: %clang_cuda_ptx %t/k.cu && FileCheck %s < %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=128)' --kernel 'scale<double>' -o %t/again.cu --no-verify && cmp %t/again.cu %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=32)' --kernel 'scale<float>' --in-place --no-verify && %clang_cuda_ptx %t/k.cu
// RUN: %hone opt %t/k.cu --recipe 'block(x=64)' --kernel scale -o %t/both.cu --no-verify && %clang_cuda_ptx %t/both.cu
// RUN: %hone opt %t/both.cu --recipe 'block(x=64)' -o %t/both.2.cu --no-verify && cmp %t/both.cu %t/both.2.cu
// RUN: %hone revert %t/k.cu && cmp %t/k.cu %s
// RUN: %hone opt %t/float.cu --recipe 'promote' --kernel 'scale<float>' -o %t/none.cu --no-verify && cmp %t/none.cu %s
// FLOAT: kernel `scale<float>`: rewritten beside the original; 1 of 1 launch now calls scale_launch<float>
// DOUBLE: kernel `scale<double>`: rewritten beside the original; 1 of 1 launch now calls scale_launch<double>
// CHECK: {{^}}// hone: begin, beside scale{{$}}
// CHECK: {{^}}static inline void scale_launch(
// CHECK: {{^}}// hone: begin, beside scale<double>{{$}}
// CHECK: {{^}}inline void scale_launch<double>(
// CHECK: {{^}}// hone: begin, beside scale<float>{{$}}
// CHECK: {{^}}inline void scale_launch<float>(
// CHECK: // hone: was {{[0-9a-f]+}}: scale<T><<<n / 32, 32>>>(x, n);
// CHECK-NEXT: {{^}}  scale_launch<T>(n / 32, 32, 0, 0, x, n);
template <typename T>
__global__ void scale(T* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

template <typename T>
void anyScale(T* x, int n) {
  scale<T><<<n / 32, 32>>>(x, n);
}
void run(float* x, double* y, int n) {
  anyScale(x, n);
  anyScale(y, n);
}
