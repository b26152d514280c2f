// Pointers into present data, held in locals of the region, moved, compared, subtracted.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    int *mid = b + n / 2;
#pragma acc data copy(a[0:n], b[0:n])
    {
#pragma acc parallel loop present(a, b)
      for (int i = 0; i < n; ++i) {
        int *p = a + i, *q = b + n - 1;
        q -= i;
        *p++ += *q;
        a[i] += (int)(p - a) + (q >= b);
      }
#pragma acc parallel loop
      for (int i = 0; i < n - n / 2; ++i) mid[i] = -mid[i] + a[i];
#pragma acc parallel loop
      for (int i = 0; i < n / 2; ++i) mid[i - n / 2] *= 2;
    }
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
