// && and || whose right sides have reads: a flag that stays as it is where they are skipped.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 8);
    _Bool sorted = 1, found = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(&& : sorted) reduction(|| : found)
    for (int i = 1; i < n; ++i) {
      sorted = sorted && a[i - 1] <= a[i];
      found |= a[i] == 42;
    }
    printf("%d %d\n", sorted, found);
    free(a);
  }
  return 0;
}
