// Many variables in one clause.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 1);
  int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4;
  double d0 = 0, d1 = 10;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : s0, s1, s2, s3, s4, d0, d1)
  for (int i = 0; i < n; ++i) {
    s0 += a[i];
    s1 += a[i] * 2;
    s2 -= a[i];
    s3 = s3 + (a[i] & 3);
    s4 = 1 + s4;
    d0 += 0.5;
    d1 += a[i] * 0.25;
  }
  printf("%d %d %d %d %d %g %g\n", s0, s1, s2, s3, s4, d0, d1);
  free(a);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
