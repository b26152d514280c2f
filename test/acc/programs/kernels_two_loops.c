// Row A2: kernels with several loops, one after the other, each with its own kernel.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 4), *b = new_ints(n, 5), *c = new_ints(n, 6);
#pragma acc kernels copyin(a[0:n]) copy(b[0:n]) copyout(c[0:n])
    {
      for (int i = 0; i < n; ++i) b[i] += a[i];
      for (int i = 0; i < n; ++i) c[i] = b[n - 1 - i];
      for (int i = 0; i < n; ++i) b[i] = c[i] - a[i];
    }
    show("b", b, n);
    show("c", c, n);
    free(a); free(b); free(c);
  }
  return 0;
}
