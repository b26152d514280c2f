// code-differs: report
// printf with several formats and assert in device code.
#include <assert.h>
#include <stdio.h>

__global__ void report(const float* x, const int* k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(n > 0);
  if (i < n) {
    assert(k[i] >= 0 && k[i] < n);
    if (x[k[i]] < 0.0f) printf("block %d thread %d: x[%d] = %f, 100%%\n", blockIdx.x, threadIdx.x, k[i], x[k[i]]);
  }
  if (i == 0) {
    printf("done\n");
    printf("%s \"%c\" %5.2e %lld %u %p\n", "tab\there", 'q', 1.5, (long long)n * n, 7u, (const void*)x);
  }
}
