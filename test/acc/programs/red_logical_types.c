// Row A11: && and || on int, char, double and pointers to flags.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    int all = 5, any = 0;
    char allc = 1, anyc = 0;
    double alld = 2.5, anyd = 0;
    long alll = 1, anyl = 9;
#pragma acc parallel loop copyin(a[0:n]) reduction(&& : all, allc, alld, alll) reduction(|| : any, anyc, anyd, anyl)
    for (int i = 0; i < n; ++i) {
      all = all && (a[i] != 55);
      any = (a[i] == 80) || any;
      allc = allc && a[i] < 100;
      anyc = anyc || a[i] < -99;
      alld = alld && (a[i] > -101);
      anyd = anyd || (a[i] == 33);
      alll = alll && 1;
      anyl = anyl || 0;
    }
    if (n == 0) {
      printf("%d %g %ld\n", all != 0, alld != 0 ? 1.0 : 0.0, (long)(anyl != 0));
    } else {
      printf("%d %d %d %d %g %g %ld %ld\n", all, any, allc, anyc, alld, anyd, alll, anyl);
    }
    free(a);
  }
  return 0;
}
