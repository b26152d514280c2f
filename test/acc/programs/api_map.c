// Row A12: acc_map_data, acc_unmap_data, copies between host and device and on the device.
#include "acctest.h"
#ifdef _OPENACC
#include <openacc.h>
#endif
int main(void) {
  int n = 90;
  size_t bytes = sizeof(int) * (size_t)n;
  int *a = new_ints(n, 1), *b = new_ints(n, 2);
#ifdef _OPENACC
  int *d = (int *)acc_malloc(bytes), *e = (int *)acc_malloc(bytes);
  acc_map_data(a, d, bytes);
  acc_memcpy_to_device(d, a, bytes);
#endif
#pragma acc parallel loop present(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += 10;
#ifdef _OPENACC
  acc_memcpy_device(e, d, bytes);
  acc_memcpy_from_device(b, e, bytes);
  acc_unmap_data(a);
  acc_free(d);
  acc_free(e);
#else
  memcpy(b, a, bytes);
#endif
  show("b", b, n);
  free(a); free(b);
  return 0;
}
