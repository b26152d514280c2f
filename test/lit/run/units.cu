// Findings count elements where the program says what they are, and else bytes.
// RUN: not %hone run %s 2>&1 | FileCheck %s
__managed__ int shared[4];
__device__ double own[4];

__global__ void beyond(int* a, int* b, int k) {
  a[k] = 1;
  b[k] = 1;
  shared[k] = 1;
  own[k] = 1;
}

int main() {
  int *a, *b;
  cudaMalloc(&a, 16);
  cudaMallocManaged(&b, 16);
  beyond<<<1, 1>>>(a, b, 4);
  cudaDeviceSynchronize();
}
// CHECK: out of bounds in global memory, cudaMalloc of 16 bytes, byte 16 of 16: writes bytes 16 to 19 of cudaMalloc of 16 bytes, which has 16 bytes
// CHECK: out of bounds in global memory, managed memory of 16 bytes, byte 16 of 16: writes bytes 16 to 19 of managed memory of 16 bytes, which has 16 bytes
// CHECK: out of bounds in global memory, shared[4] of 4 elements: writes element 4 of shared, which has 4 elements
// CHECK: out of bounds in global memory, own[4] of 4 elements: writes element 4 of own, which has 4 elements
