// A buffer is freed twice.
#include <cstdio>
int main() {
  float* a;
  cudaMalloc(&a, 1024);
  cudaFree(a);
#ifndef FIX
  cudaFree(a);  // FAULT: wild-pointer
#endif
  std::printf("done\n");
}
