// no_create: used where it is present, left alone where not.
#include "acctest.h"
static void work(int n, int *a, int *extra, int has) {
#pragma acc parallel loop copy(a[0:n]) no_create(extra[0:n])
  for (int i = 0; i < n; ++i) {
    a[i] += 1;
    if (has) extra[i] += a[i];
  }
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    work(n, a, b, 0);
#pragma acc data copy(b[0:n])
    work(n, a, b, 1);
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
