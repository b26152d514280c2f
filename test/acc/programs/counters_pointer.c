// Pointers as counters.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2);
#pragma acc parallel loop copy(a[0:n])
    for (int *p = a; p < a + n; ++p) *p += 5;
#pragma acc parallel loop copy(a[0:n])
    for (int *p = a; p != a + n; ++p) *p = *p * 2 + (int)(p - a);
    show("a", a, n);
    free(a);
  }
  return 0;
}
