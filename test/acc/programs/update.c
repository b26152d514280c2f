// update: self, host, device; whole arrays, sections, scalars, several at once.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    int k = 1, lo = n / 3, len = n / 3;
#pragma acc data copy(a[0:n], b[0:n], k)
    {
#pragma acc parallel loop present(a, b)
      for (int i = 0; i < n; ++i) {
        a[i] += 5;
        b[i] -= 5;
      }
#pragma acc update self(a[0:n])
#pragma acc update host(b[lo:len])
      for (int i = lo; i < lo + len; ++i) {
        a[i] *= 2;
        b[i] *= 3;
      }
      k = 7;
#pragma acc update device(a[lo:len], b[lo:len]) device(k)
#pragma acc parallel loop present(a, b, k)
      for (int i = 0; i < n; ++i) a[i] += b[i] * k;
    }
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
