// default on data constructs, and default(none) on kernels and serial.
#include "acctest.h"
int main(void) {
  int n = 90;
  int *a = new_ints(n, 1);
  int s = 4;
#pragma acc data copy(a[0:n]) default(present)
  {
#pragma acc kernels default(none) present(a[0:n]) copyin(n, s)
    for (int i = 0; i < n; ++i) a[i] *= s;
#pragma acc serial default(none) present(a) copy(s) copyin(n)
    for (int i = 0; i < n; ++i) s += a[i];
  }
  printf("%d\n", s);
  show("a", a, n);
  free(a);
  return 0;
}
