// Reductions on queues: their values are there after the wait.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 8);
  int s = 1, t = 2, u = 0;
#pragma acc data copyin(a[0:n]) copy(s, t, u)
  {
#pragma acc parallel loop reduction(+ : s) async(1) present(a, s)
    for (int i = 0; i < n; ++i) s += a[i];
#pragma acc parallel loop reduction(max : t) async(2) present(a, t)
    for (int i = 0; i < n; ++i) t = a[i] > t ? a[i] : t;
#pragma acc wait(1)
#pragma acc parallel loop reduction(^ : u) async(1) present(a, u)
    for (int i = 0; i < n; ++i) u ^= a[i];
#pragma acc wait
  }
  printf("%d %d %d\n", s, t, u);
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
