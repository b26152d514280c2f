// Rows A2 and A6: a region becomes a kernel; one iteration a thread with a guard, at any size.
#include "acctest.h"
static void add(int n, const int *a, const int *b, int *c) {
#pragma acc parallel loop copyin(a[0:n], b[0:n]) copyout(c[0:n])
  for (int i = 0; i < n; ++i) c[i] = a[i] + 2 * b[i];
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2), *c = new_ints(n, 3);
    add(n, a, b, c);
    show("c", c, n);
    free(a); free(b); free(c);
  }
  return 0;
}
