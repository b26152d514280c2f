// Row A8: what is present already is neither copied again nor copied back early.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc data copy(a[0:n])
    {
#pragma acc data copyin(a[0:n]) copy(b[0:n])
      {
#pragma acc parallel loop copy(a[0:n], b[0:n])
        for (int i = 0; i < n; ++i) {
          a[i] += b[i];
          b[i] -= 1;
        }
      }
#pragma acc parallel loop copyin(a[0:n])
      for (int i = 0; i < n; ++i) a[i] *= 2;
    }
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
