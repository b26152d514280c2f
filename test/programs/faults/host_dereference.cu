// Host code follows a pointer to device memory.
#include <cstdio>
int main() {
  int *a, value = 0;
  cudaMalloc(&a, 32 * sizeof(int));
  cudaMemset(a, 0, 32 * sizeof(int));
#ifdef FIX
  cudaMemcpy(&value, a + 3, sizeof value, cudaMemcpyDeviceToHost);
#else
  value = a[3];  // FAULT: host-access
#endif
  std::printf("%d\n", value);
  cudaFree(a);
}
