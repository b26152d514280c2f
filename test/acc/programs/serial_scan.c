// serial: one gang, one worker, one lane.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 8);
    int total = 0;
#pragma acc serial copy(a[0:n], total)
    {
      for (int i = 0; i < n; ++i) {
        total += a[i];
        a[i] = total;
      }
    }
    printf("%d\n", total);
    show("a", a, n);
    free(a);
  }
  return 0;
}
