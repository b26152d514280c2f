// reduction where there is nothing to reduce over: serial and seq.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    int s = 5, t = 1, u = 2;
#pragma acc serial loop copyin(a[0:n]) reduction(+ : s)
    for (int i = 0; i < n; ++i) s += a[i];
#pragma acc serial copyin(a[0:n]) reduction(max : t)
    {
      for (int i = 0; i < n; ++i)
        if (a[i] > t) t = a[i];
    }
#pragma acc parallel num_gangs(1) copyin(a[0:n]) copy(u)
    {
#pragma acc loop seq reduction(^ : u)
      for (int i = 0; i < n; ++i) u ^= a[i];
    }
    printf("%d %d %d\n", s, t, u);
    free(a);
  }
  return 0;
}
