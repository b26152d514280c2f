// Statements between the loops of kernels; scalars live on from loop to loop and out of the region.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 4);
    int first = -1, factor = 2, last = 7;
#pragma acc kernels copy(a[0:n])
    {
      factor += 1;
      for (int i = 0; i < n; ++i) a[i] *= factor;
      if (n > 0) first = a[0];
      factor = factor * 10;
      for (int i = 0; i < n; ++i) a[i] += factor;
      if (n > 0) last = a[n - 1];
    }
    printf("%d %d %d\n", first, factor, last);
    show("a", a, n);
    free(a);
  }
  return 0;
}
