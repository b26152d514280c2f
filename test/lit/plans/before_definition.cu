// A launch that stands before the definition of a kernel with C linkage cannot call what is written behind it.
// RUN: %hone opt %s --recipe 'block(x=96)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
extern "C" __global__ void shift(int* a, int n);

// REMARK: before_definition.cu:[[@LINE+2]]: kernel `shift`: launch left as it is: the kernel's definition does not stand before it
void early(int* a, int n) {
  shift<<<(n + 63) / 64, 64>>>(a, n);
}
// CHECK: void early(int* a, int n) {
// CHECK-NEXT: shift<<<(n + 63) / 64, 64>>>(a, n);

extern "C" __global__ void shift(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

void late(int* a, int n) {
  shift<<<(n + 63) / 64, 64>>>(a, n);
}
// CHECK: void late(int* a, int n) {
// CHECK-NEXT: shift_launch((n + 63) / 64, 64, 0, 0, a, n);
