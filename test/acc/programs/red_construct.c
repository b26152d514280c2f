// reduction on the construct, on the loop, and on both.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    int s = 5, t = 6, u = 7;
#pragma acc parallel copyin(a[0:n]) reduction(+ : s)
    {
#pragma acc loop gang
      for (int i = 0; i < n; ++i) s += a[i];
    }
#pragma acc parallel copyin(a[0:n]) copy(t)
    {
#pragma acc loop gang vector reduction(+ : t)
      for (int i = 0; i < n; ++i) t += a[i];
    }
#pragma acc parallel copyin(a[0:n]) reduction(max : u)
    {
#pragma acc loop gang vector reduction(max : u)
      for (int i = 0; i < n; ++i) u = u > a[i] ? u : a[i];
    }
    printf("%d %d %d\n", s, t, u);
    free(a);
  }
  return 0;
}
