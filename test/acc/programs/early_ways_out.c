// Data regions in functions with returns before and behind them, loops with break around regions.
#include "acctest.h"
static int work(int *a, int n) {
  if (n == 0) return -1;
  int sum = 0;
#pragma acc data copy(a[0:n])
  {
    for (int t = 0;; ++t) {
#pragma acc parallel loop reduction(+ : sum)
      for (int i = 0; i < n; ++i) {
        a[i] += t;
        sum += a[i];
      }
      if (t == 3) break;
    }
  }
  if (n == 1) return sum * 2;
  return sum;
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    printf("%d\n", work(a, n));
    show("a", a, n);
    free(a);
  }
  return 0;
}
