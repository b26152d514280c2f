// Worker loops without vector loops, vector loops without workers, in one gang.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2), *b = new_ints(n, 7);
#pragma acc parallel num_gangs(1) num_workers(8) vector_length(32) copy(a[0:n], b[0:n])
    {
#pragma acc loop worker
      for (int i = 0; i < n; ++i) a[i] += b[i];
#pragma acc loop vector
      for (int i = 0; i < n; ++i) b[i] = a[n - 1 - i];
      if (n > 2) a[2] = b[1] + a[0];
#pragma acc loop worker vector
      for (int i = 0; i < n; ++i) b[i] += a[n > 2 ? 2 : 0];
    }
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
