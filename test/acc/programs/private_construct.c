// private on the construct: each gang has its own scalars and arrays.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    int k = 5, t[8] = {0};
#pragma acc parallel num_gangs(4) private(k, t) copy(a[0:n])
    {
      k = 3;
      for (int i = 0; i < 8; ++i) t[i] = i + k;
#pragma acc loop gang
      for (int i = 0; i < n; ++i) {
        t[0] = i;
        t[3] = t[0] * 2;
        a[i] += t[3] + t[7];
      }
    }
    printf("%d\n", IN_ACC(k == 5 && t[3] == 0));
    show("a", a, n);
    free(a);
  }
  return 0;
}
