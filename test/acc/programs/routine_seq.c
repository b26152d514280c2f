// Row A4: functions called from regions, with and without routine seq, declared before and behind.
#include "acctest.h"
#pragma acc routine seq
static int square(int x);
static int cube(int x) { return x * square(x); }
#pragma acc routine seq
static int mix(const int *p, int n, int at) {
  int h = 0;
  for (int k = 0; k < 3; ++k) h = h * 31 + p[(at + k) % n];
  return h;
}
static void put(int *where, int what);
#pragma acc routine(put) seq
static void put(int *where, int what) { *where += what; }
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc parallel loop copyin(a[0:n]) copy(b[0:n])
    for (int i = 0; i < n; ++i) {
      b[i] = cube(a[i]) + mix(a, n, i);
      put(&b[i], square(i));
    }
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
static int square(int x) { return x * x; }
