// Two gang loops in one region, with private scalars that every gang works out for itself before and between.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    int k = 3;
#pragma acc parallel num_gangs(7) copy(a[0:n], b[0:n]) firstprivate(k)
    {
      int twice = k * 2;
      k += 1;
#pragma acc loop gang
      for (int i = 0; i < n; ++i) a[i] += twice;
      twice = twice * k;
#pragma acc loop gang vector
      for (int i = 0; i < n; ++i) b[i] += twice + k;
    }
    printf("%d\n", IN_ACC(k == 3));
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
