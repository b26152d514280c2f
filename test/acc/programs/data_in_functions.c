// Row A8: present data reached through parameters of other functions, by other names.
#include "acctest.h"
static void step(int m, int *x, const int *y) {
#pragma acc parallel loop present(x[0:m], y[0:m])
  for (int i = 0; i < m; ++i) x[i] = x[i] * 3 + y[i];
}
static void half(int m, int *x) {
#pragma acc parallel loop copy(x[0:m/2])
  for (int i = 0; i < m / 2; ++i) x[i] = -x[i];
}
static void plain(int m, int *x) {
#pragma acc parallel loop
  for (int i = 0; i < m; ++i) x[i] += 1;
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc data copy(a[0:n]) copyin(b[0:n])
    {
      for (int t = 0; t < 3; ++t) step(n, a, b);
      half(n, a);
      half(n - n / 2, a + n / 2);
      plain(n - n / 3, a + n / 3);
    }
    show("a", a, n);
    free(a); free(b);
  }
  return 0;
}
