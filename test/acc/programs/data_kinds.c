// Row A8: copy, copyin, copyout, create, and their older names.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2), *c = new_ints(n, 3), *t = new_ints(n, 4);
#pragma acc data copy(a[0:n]) copyin(b[0:n]) copyout(c[0:n]) create(t[0:n])
    {
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) t[i] = a[i] + b[i];
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) c[i] = t[n - 1 - i];
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) a[i] = t[i] - c[i];
    }
    show("a", a, n);
    show("b", b, n);
    show("c", c, n);
#pragma acc data pcopy(a[0:n]) pcopyin(b[0:n]) pcopyout(c[0:n]) pcreate(t[0:n])
    {
#pragma acc kernels present_or_copy(a[0:n]) present_or_copyin(b[0:n]) present_or_copyout(c[0:n]) present_or_create(t[0:n])
      for (int i = 0; i < n; ++i) {
        t[i] = b[i] * 2;
        c[i] = t[i] + a[i];
        a[i] = 1;
      }
    }
    show("a", a, n);
    show("c", c, n);
    free(a); free(b); free(c); free(t);
  }
  return 0;
}
