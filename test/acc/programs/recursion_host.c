// A function with a region that calls itself on the host.
#include "acctest.h"
static int depth(int *a, int n, int d) {
  int sum = 0;
  if (d == 0) return 0;
#pragma acc data copy(a[0:n])
  {
#pragma acc parallel loop reduction(+ : sum) present(a)
    for (int i = 0; i < n; ++i) {
      a[i] += d;
      sum += a[i];
    }
    sum += depth(a, n, d - 1);
  }
  return sum;
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    printf("%d\n", depth(a, n, 4));
    show("a", a, n);
    free(a);
  }
  return 0;
}
