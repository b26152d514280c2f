// Structs as reduction variables: every member with the operator.
#include "acctest.h"
typedef struct { int x; double y; long z; } Sums;
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    Sums s = {1, 2.5, 3};
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : s)
    for (int i = 0; i < n; ++i) {
      s.x += a[i];
      s.y += a[i] * 0.5;
      s.z += i;
    }
    printf("%d %g %ld\n", s.x, s.y, s.z);
    free(a);
  }
  return 0;
}
