// Arguments that a launch leaves to the kernel's declaration, where they are plain numbers.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
int limit();
__global__ void more(int* x, int n = 8, float by = -1.5f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
__global__ void other(int* x, int n = limit()) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++x[i];
}
void run(int* y) {
  more<<<1, 32>>>(y);
  // CHECK: more_launch(1, 32, 0, 0, y, 8, -1.5f);
  more<<<1, 32>>>(y, 4);
  // CHECK: more_launch(1, 32, 0, 0, y, 4, -1.5f);
  more<<<1, 32>>>(y,  // array
                  4   // length
  );
  // CHECK: more_launch(1, 32, 0, 0, y,  // array
  // CHECK-NEXT: 4   // length
  // CHECK-NEXT: , -1.5f);
  other<<<1, 32>>>(y, 7);
  // REMARK: defaults.cu:[[#@LINE+1]]: kernel `other`: launch left as it is: it leaves out an argument whose default is no plain number
  other<<<1, 32>>>(y);
}
