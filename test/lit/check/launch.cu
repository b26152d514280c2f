// Sizes, grid and block by the launch in the file.
// RUN: %hone check %s --cuda-path none | FileCheck %s
// RUN: %hone check %s --cuda-path none --set n=77 | FileCheck --check-prefix=SET %s

#define THREADS 64
// CHECK: kernel `add`: clean
// CHECK-NEXT: n=500, grid 8, block 64
// CHECK-NOT: guessed
// CHECK: lengths
// SET: n=77, grid 2, block 64
__global__ void add(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

void run(float* a) {
  const int count = 5 * 100;
  dim3 block(THREADS), grid((count + block.x - 1) / block.x);
  add<<<grid, block>>>(a, count);
}
