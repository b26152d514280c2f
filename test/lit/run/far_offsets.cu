// RUN: %hone run %s | FileCheck %s
// Constants in a subscript that no instruction has room for, and such that bring it back to an array's elements.
#include <cstdio>

__global__ void kernel(int* a, int begin, long far, unsigned around) {
  a[begin - 2147483500] = 1;
  a[far - 9007199254740992L + 1] = 2;
  a[around - 4294967000u] = 3;
  a[begin - 2147483500 - 2000000000 + 2000000003] = 4;
  __shared__ int s[8];
  s[begin + 1 - 2147483500] = 5;
  a[4] = s[1];
}

int main() {
  int *d, h[5];
  cudaMalloc(&d, sizeof(h));
  kernel<<<1, 1>>>(d, 2147483500, 9007199254740992L, 4294967002u);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);  // CHECK: 1 2 3 4 5
}
