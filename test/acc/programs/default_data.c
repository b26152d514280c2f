// default on data constructs, and default(none) on kernels and serial.
#include "acctest.h"
static int with(int n) {
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
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
