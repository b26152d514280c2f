// self: with and without a condition, together with if.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    int here = 1;
#pragma acc parallel loop self copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc parallel loop self(here) copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] *= 2;
#pragma acc parallel loop self(!here) copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] -= 3;
#pragma acc kernels self(n > 100) if (n > 2) copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] ^= 3;
#pragma acc serial self(n < 100) copy(a[0:n])
    for (int i = 1; i < n; ++i) a[i] += a[i - 1] & 3;
    show("a", a, n);
    free(a);
  }
  return 0;
}
