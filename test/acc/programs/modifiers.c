// Modifiers of data clauses: zero, readonly, always.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2), *z = (int *)calloc((size_t)n + 1, sizeof(int));
    int *look = new_ints(n, 3);
#pragma acc data create(zero : z[0:n]) copyin(readonly : look[0:n]) copy(a[0:n], b[0:n])
    {
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) {
        z[i] += look[i];
        a[i] += z[i];
      }
#pragma acc update self(a[0:n])
#pragma acc parallel loop copy(always : a[0:n])
      for (int i = 0; i < n; ++i) a[i] *= 2;
      show("a", a, n);
      for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc parallel loop copyin(always : a[0:n]) copyout(alwaysout : b[0:n])
      for (int i = 0; i < n; ++i) b[i] = a[i] * 2;
      show("b", b, n);
    }
    show("a", a, n);
    int *y = (int *)calloc((size_t)n + 1, sizeof(int));
#pragma acc parallel loop copyout(zero : y[0:n])
    for (int i = 0; i < n; i += 2) y[i] = i;
    show("y", y, n);
    free(a); free(b); free(z); free(y); free(look);
  }
  return 0;
}
