// Queues that wait for each other: wait clauses, and the directive with async.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc data copy(a[0:n], b[0:n])
    {
#pragma acc parallel loop async(1)
      for (int i = 0; i < n; ++i) a[i] += 7;
#pragma acc parallel loop async(2) wait(1)
      for (int i = 0; i < n; ++i) b[i] += a[n - 1 - i];
#pragma acc wait(2) async(3)
#pragma acc parallel loop async(3)
      for (int i = 0; i < n; ++i) a[i] = b[i] * 2;
#pragma acc parallel loop wait(3, 2) async(1)
      for (int i = 0; i < n; ++i) b[i] -= a[n - 1 - i];
#pragma acc update self(b[0:n]) wait(1)
      show("b", b, n);
#pragma acc kernels wait
      for (int i = 0; i < n; ++i) a[i] += b[i];
    }
    show("a", a, n);
    free(a); free(b);
  }
  return 0;
}
