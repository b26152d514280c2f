#include <cstdio>
#include <cstdlib>

#include "scale.h"

__global__ void fill(float* a, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = threadIdx.x;
}

int main(int count, char** words) {
  float* a;
  cudaMallocManaged(&a, 40 * sizeof(float));
  fill<<<1, 64>>>(a, 40);
  scale(a, 40);
  std::printf("%g %g %s\n", a[0], a[39], count > 1 ? words[1] : "-");
  return count > 2 ? std::atoi(words[2]) : 0;
}
