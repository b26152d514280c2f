// printf of text in arrays: of a thread, of its block, of the device and constant ones; each thread's own text, with
// width and precision; a null pointer; and text without an end.
// RUN: %hone run --fail-on none %s 2>&1 | FileCheck %s
#include <cstdio>
__device__ char global[] = "global";
__constant__ char constant[] = "constant";
__device__ int length(const char* text) { return text[0] ? 1 + length(text + 1) : 0; }  // on the stack
__device__ void deeper(int depth, char c) {
  char own[3] = {c, char('0' + depth), 0};
  if (depth) deeper(depth - 1, c);
  printf("%s/%d ", own, length(own));
}
__global__ void text() {
  __shared__ char shared[4];
  char own[8];
  for (int i = 0; i < 3; ++i) own[i] = char('a' + 3 * threadIdx.x + i);
  own[3] = 0;
  for (int i = threadIdx.x; i < 4; i += 2) shared[i] = "xyz"[i];
  __syncthreads();
  // CHECK: own abc
  // CHECK-NEXT: own def
  printf("own %s\n", own);
  if (threadIdx.x) return;
  // CHECK-NEXT: xyz [  xyz] [xyz  ] [xy] [   x] [global] [constant]
  printf("%s [%5s] [%-5s] [%.2s] [%*.*s] [%s] [%s]\n", shared, shared, shared, shared, 4, 1, shared, global, constant);
  // CHECK-NEXT: k0/2 k1/2 k2/2 end
  deeper(2, 'k');
  printf("end\n");
  const char* none = own[0] == 'a' ? nullptr : own;
  // CHECK-NEXT: (null)
  printf("%s\n", none);
}
__global__ void endless(const char* data) {
  // CHECK-NEXT: aaaa
  // CHECK-NEXT: aa
  printf("%s\n", data), printf("%.2s\n", data);
}
// CHECK: printf_strings.cu:[[# @LINE - 2]]: error: out of bounds{{.*}}: printf reads a string that has no end in the memory it points into
// CHECK-NEXT: 1 finding
int main() {
  text<<<1, 2>>>();
  cudaDeviceSynchronize();
  char* data;
  cudaMalloc(&data, 4);
  cudaMemset(data, 'a', 4);
  endless<<<1, 1>>>(data);
  cudaDeviceSynchronize();
}
