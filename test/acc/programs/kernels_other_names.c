// Scalars of kernels constructs that are read under one name and written under another.
#include "acctest.h"
static int at_file = 3;
static void bump(int *p) { *p += 1; }
int main(void) {
  FOR_SIZES(n) {
    int x = 4, y = 1, *q = &x, *g = &at_file, *r = &y, limit = n;
    int *a = new_ints(n, 1);
    int *end = &limit;
    unsigned u = 1;
    int *const as_int = (int *)&u;
    at_file = 3;
#pragma acc kernels copy(q[0 : 1])
    for (int i = 0; i < 5; ++i) q[0] += x;
#pragma acc kernels copy(g[0 : 1])
    for (int i = 0; i < 5; ++i) *g += at_file;
#pragma acc kernels copy(r[0 : 1])
    for (int i = 0; i < 4; ++i) {
      bump(r);
      r[0] *= y;
    }
#pragma acc kernels copy(as_int[0 : 1])
    for (int i = 0; i < 4; ++i) as_int[0] += (int)u;
#pragma acc kernels copy(a[0 : n])
    for (int i = 0; i < limit; ++i) a[i] += x;
    /* The end of the loop moves. */
#pragma acc kernels copy(end[0 : 1])
    for (int i = 0; i < limit; ++i)
      if (i % 3 == 0 && *end > 1) *end -= 1;
    printf("%d %d %d %d %u\n", x, at_file, y, limit, u);
    show("a", a, n);
    free(a);
  }
  return 0;
}
