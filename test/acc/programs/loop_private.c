// Row A10: private scalars and arrays of loops, declared outside of the region.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 3), *b = new_ints(n, 4);
    int t = 77, few[5] = {1, 2, 3, 4, 5};
#pragma acc parallel loop private(t, few) copy(a[0:n]) copyin(b[0:n])
    for (int i = 0; i < n; ++i) {
      t = a[i] - b[i];
      for (int k = 0; k < 5; ++k) few[k] = t + k * i;
      t = 0;
      for (int k = 4; k >= 0; --k) t = t * 2 + few[k];
      a[i] = t;
    }
    printf("%d\n", IN_ACC(t == 77 && few[2] == 3));
    show("a", a, n);
    free(a); free(b);
  }
  return 0;
}
