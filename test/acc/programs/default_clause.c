// default(none) and default(present).
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    int f[20], k = 3;
    for (int i = 0; i < 20; ++i) f[i] = i;
#pragma acc parallel loop default(none) copy(a[0:n]) copyin(b[0:n], f) firstprivate(k, n)
    for (int i = 0; i < n; ++i) a[i] += b[i] * k + f[i % 20];
#pragma acc data copy(a[0:n], f) copyin(b[0:n])
    {
#pragma acc parallel loop default(present)
      for (int i = 0; i < n; ++i) a[i] -= b[i] + f[i % 20];
#pragma acc kernels default(present)
      for (int i = 0; i < 20; ++i) f[i] *= 2;
    }
    show("a", a, n);
    show("f", f, 20);
    free(a); free(b);
  }
  return 0;
}
