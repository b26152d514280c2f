// Sums and products of complex numbers.
#include <complex.h>
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    double _Complex s = 1.0 + 2.0 * I;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : s)
    for (int i = 0; i < n; ++i) s += a[i] + (double)i * I;
    printf("%g %g\n", creal(s), cimag(s));
    free(a);
  }
  return 0;
}
