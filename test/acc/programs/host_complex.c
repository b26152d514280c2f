// Complex numbers stay with the host: reductions of them, also of data that the device has.
// SAYS: a reduction of complex numbers
#include <complex.h>

#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    double *a = new_doubles(n, 1);
    double complex sum = 1, product = 1, rows = 0, skipped = 2, alone = 0, kept = 5;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += a[i] * I;
#pragma acc data copy(a[0:n]) copy(product)
    {
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) a[i] = 1 + i % 3;
#pragma acc parallel loop reduction(* : product)
      for (int i = 0; i < n && i < 8; ++i) {
        product *= a[i] + I;
        a[i] += 1;
      }
    }
#pragma acc parallel copyin(a[0:n])
    {
#pragma acc loop reduction(+ : rows)
      for (int i = 0; i < n; ++i) rows += a[i];
    }
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : skipped) if (n > 2)
    for (int i = 0; i < n; ++i) skipped += a[i];
#pragma acc serial reduction(+ : alone) copyin(a[0:n])
    for (int i = 0; i < n; ++i) alone += a[i];
#pragma acc enter data copyin(kept)
#pragma acc parallel loop reduction(+ : kept)
    for (int i = 0; i < 4; ++i) kept += i;
#pragma acc exit data copyout(kept)
    printf("%d: %g %g %g %g %g %g %g\n", n, cimag(sum), creal(product), cimag(product), creal(rows),
           creal(skipped), creal(alone), creal(kept));
    show_doubles("a", a, n);
    free(a);
  }
  return 0;
}
