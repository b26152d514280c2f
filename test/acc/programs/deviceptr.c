// Row A12: memory from acc_malloc in deviceptr, filled by acc_memcpy_to_device.
#include "acctest.h"
#ifdef _OPENACC
#include <openacc.h>
#else
static void *acc_malloc(size_t n) { return malloc(n); }
static void acc_free(void *p) { free(p); }
static void acc_memcpy_to_device(void *d, void *s, size_t n) { memcpy(d, s, n); }
static void acc_memcpy_from_device(void *d, void *s, size_t n) { memcpy(d, s, n); }
#endif
int main(void) {
  FOR_SIZES(n) {
    size_t bytes = sizeof(int) * (size_t)n;
    int *a = new_ints(n, 1), *d = (int *)acc_malloc(bytes + 4);
    acc_memcpy_to_device(d, a, bytes);
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < n; ++i) d[i] += i;
#pragma acc data deviceptr(d)
    {
#pragma acc kernels loop independent
      for (int i = 0; i < n; ++i) d[i] *= 3;
    }
    acc_memcpy_from_device(a, d, bytes);
    show("a", a, n);
    acc_free(d);
    free(a);
  }
  return 0;
}
