// A region that runs many times, with other values each time.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 2), *b = new_ints(n, 3);
#pragma acc data copy(a[0:n], b[0:n])
  for (int t = 0; t < 12; ++t) {
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < n; ++i) b[i] = a[(i + t) % n] + t;
    int *s = a;
    a = b;
    b = s;
  }
  show("a", a, n);
  show("b", b, n);
  free(a); free(b);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
