// Sections that begin far behind their pointer's element 0, beside other memory of the device: kernels get the
// pointer moved back by as much.
#include "acctest.h"
int main(void) {
  enum { N = 3000 };
  int *a = new_ints(N, 1), *b = new_ints(N, 2), *c = new_ints(N, 3);
  for (int from = 0; from < N; from += 611) {
    /* Of the device's memory what is brought last lies next to what comes then. */
#pragma acc enter data copyin(b[0:N], c[0:N])
    const int count = N - from < 100 ? N - from : 100;
#pragma acc parallel loop copy(a[from:count])
    for (int i = from; i < from + count; ++i) a[i] += b[i] * 2;
#pragma acc enter data copyin(a[from:count])
#pragma acc parallel loop present(a, c)
    for (int i = from; i < from + count; ++i) c[i] -= a[i];
#pragma acc exit data copyout(a[from:count])
#pragma acc exit data copyout(b[0:N], c[0:N])
  }
  show("a", a, N);
  show("b", b, N);
  show("c", c, N);
  free(a);
  free(b);
  free(c);
  return 0;
}
