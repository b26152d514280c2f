// cache: a hint that changes no result; readonly, sections, several.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
    for (int i = 1; i < n - 1; ++i) {
#pragma acc cache(a[i - 1:3])
      b[i] += a[i - 1] + a[i] + a[i + 1];
    }
#pragma acc kernels copyin(a[0:n]) copy(b[0:n])
#pragma acc loop independent
    for (int i = 0; i < n; ++i) {
#pragma acc cache(readonly : a[0:n], b[i])
      b[i] -= a[i];
    }
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
