// Row A1: accepted are parallel loop, kernels loop, serial loop beside their forms in two directives.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc parallel copy(a[0:n])
#pragma acc loop
    for (int i = 0; i < n; ++i) a[i] += 2;
#pragma acc kernels loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] *= 3;
#pragma acc kernels copy(a[0:n])
    {
#pragma acc loop
      for (int i = 0; i < n; ++i) a[i] -= i;
    }
#pragma acc serial loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] ^= 1;
#pragma acc serial copy(a[0:n])
#pragma acc loop
    for (int i = 0; i < n; ++i) a[i] += 4;
    show("a", a, n);
    free(a);
  }
  return 0;
}
