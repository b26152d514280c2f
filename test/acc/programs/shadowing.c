// Names declared again in inner scopes of a region, in loops, in other regions of the function.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), x = 3;
#pragma acc parallel loop copy(a[0:n]) firstprivate(x)
    for (int i = 0; i < n; ++i) {
      int y = x;
      {
        int x = y * 2;
        for (int i = 0; i < 3; ++i) x += i;
        y = x;
      }
      a[i] += y + x;
    }
    {
      int *b = a;
      int a = 4;
#pragma acc kernels copy(b[0:n])
      for (int i = 0; i < n; ++i) b[i] *= a + x;
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
