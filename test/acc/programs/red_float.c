// Row A11: sums and products of floats whose order does not matter, extremes with negative numbers and infinities.
#include "acctest.h"
#include <math.h>
int main(void) {
  FOR_SIZES(n) {
    double *d = new_doubles(n, 3);
    float prod = 1.0f, least = INFINITY, most = -INFINITY;
    double sum = 0.5, dprod = 4.0, dmin = 1e300, dmax = -1e300;
#pragma acc parallel loop copyin(d[0:n]) reduction(+ : sum) reduction(* : prod, dprod) reduction(min : least, dmin) reduction(max : most, dmax)
    for (int i = 0; i < n; ++i) {
      sum += d[i] - 3.0;
      prod *= i % 20 == 3 ? 2.0f : (i % 20 == 4 ? 0.5f : 1.0f);
      dprod *= i % 300 == 200 ? -2.0 : 1.0;
      least = fminf(least, (float)-d[i]);
      most = fmaxf(most, (float)-d[i]);
      dmin = fmin(dmin, d[i] - 7);
      dmax = fmax(dmax, d[i] - 90);
    }
    printf("%g %g %g %g %g %g %g\n", sum, prod, dprod, least, most, dmin, dmax);
    free(d);
  }
  return 0;
}
