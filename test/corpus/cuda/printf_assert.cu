// no-opencl: report assert
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
    printf("all %% done, well: %lld\n", (long long)n);
    printf("%s \"%c\" %5.2e %lld %u %p\n", "tab\there", 'q', 1.5, (long long)n * n, 7u, (const void*)x);
  }
}

__global__ void tell(const long long* v, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) printf("all%%llu cells: %6lld of %d, well\n", v[i], n);
}
