// Routines that call each other: worker calls vector calls seq; device_type in routine.
#include "acctest.h"
#pragma acc routine seq
static int f(int x) { return x % 7 ? x + 1 : x * 2; }
#pragma acc routine vector
static void lanes(int *a, int n) {
#pragma acc loop vector
  for (int i = 0; i < n; ++i) a[i] = f(a[i]);
}
#pragma acc routine device_type(nvidia) worker device_type(host) seq
static void workers(int *a, int m, int n) {
#pragma acc loop worker
  for (int i = 0; i < m; ++i) lanes(a + i * n, n);
}
int main(void) {
  int l = 3, m = 6, n = 21;
  int *a = new_ints(l * m * n, 4);
#pragma acc parallel loop gang num_workers(2) vector_length(32) copy(a[0:l*m*n])
  for (int i = 0; i < l; ++i) workers(a + i * m * n, m, n);
  show("a", a, l * m * n);
  free(a);
  return 0;
}
