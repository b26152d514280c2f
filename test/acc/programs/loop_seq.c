// Row A10: seq loops, at the outside and inside.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 3), *b = new_ints(n, 5);
#pragma acc kernels copy(a[0:n])
#pragma acc loop seq
    for (int i = 1; i < n; ++i) a[i] += a[i - 1] % 5;
    show("a", a, n);
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
    for (int i = 0; i < n; ++i) {
      int h = 0;
#pragma acc loop seq
      for (int k = 0; k < 5; ++k) h = h * 3 + a[(i + k) % n];
      b[i] = h;
    }
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
