// The combined form serial loop, with clauses of loops that mean nothing in it.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 8);
#pragma acc serial loop gang worker vector copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] = a[i] * a[i] - 1;
#pragma acc serial copy(a[0:n])
    {
#pragma acc loop seq
      for (int i = 1; i < n; ++i) a[i] += a[i - 1];
#pragma acc loop vector
      for (int i = 0; i < n; ++i) a[i] ^= 5;
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
