// Counters declared outside of the loop are private in it.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2);
    int i, j;
#pragma acc parallel loop copy(a[0:n])
    for (i = 0; i < n; ++i) a[i] += i;
#pragma acc parallel loop gang copy(a[0:n])
    for (i = 0; i < n; i += 32) {
#pragma acc loop vector
      for (j = i; j < (i + 32 < n ? i + 32 : n); ++j) a[j] *= 2;
    }
#pragma acc parallel loop copy(a[0:n])
    for (i = 0; i < n; ++i)
      for (j = 0; j < 3; ++j) a[i] += j;
    show("a", a, n);
    free(a);
  }
  return 0;
}
