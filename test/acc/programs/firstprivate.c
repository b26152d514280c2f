// firstprivate: scalars, arrays and structs with the host's values, each gang's own.
#include "acctest.h"
typedef struct { int x, y[3]; } S;
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    int k = 5, t[4] = {1, 2, 3, 4};
    S s = {9, {1, 2, 3}};
#pragma acc parallel num_gangs(4) firstprivate(k, t, s) copy(a[0:n])
    {
      k += 2;
      t[1] = k;
      s.y[2] += s.x;
#pragma acc loop gang vector
      for (int i = 0; i < n; ++i) a[i] += k * t[i % 4] + s.y[i % 3];
    }
    printf("%d\n", IN_ACC(k == 5 && t[1] == 2 && s.y[2] == 3));
    show("a", a, n);
    free(a);
  }
  return 0;
}
