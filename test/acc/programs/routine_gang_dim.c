// routine gang(dim:): called within gang loops of higher dimensions.
#include "acctest.h"
#pragma acc routine gang
static void raise(int *a, int n, int by) {
#pragma acc loop gang vector
  for (int i = 0; i < n; ++i) a[i] += by;
}
#pragma acc routine gang(dim : 1)
static void double_raise(int *a, int n, int by) {
#pragma acc loop gang(dim : 1)
  for (int i = 0; i < n; ++i) a[i] += by * 2;
}
#pragma acc routine gang(dim : 2)
static void rows(int *a, int n, int m) {
#pragma acc loop gang(dim : 2)
  for (int j = 0; j < m; ++j) {
#pragma acc loop gang(dim : 1) vector
    for (int i = 0; i < n; ++i) a[j * n + i] += j;
  }
}
#pragma acc routine gang(dim : 2)
static void rows_by_calls(int *a, int n, int m) {
#pragma acc loop gang(dim : 2)
  for (int j = 0; j < m; ++j) raise(a + j * n, n, 3 * j);
}
int main(void) {
  FOR_SIZES(n) {
    const int m = 12;
    int *a = new_ints(n * m, 1);
#pragma acc data copy(a[0:n * m])
    {
#pragma acc parallel num_gangs(3, 4)
      {
#pragma acc loop gang(dim : 2)
        for (int j = 0; j < m; ++j) raise(a + j * n, n, j);
      }
#pragma acc parallel
      {
#pragma acc loop gang(dim : 2)
        for (int j = 0; j < m; ++j) double_raise(a + j * n, n, j);
      }
#pragma acc parallel loop gang(dim : 3) num_gangs(5, 1, 2)
      for (int j = 0; j < m; ++j) double_raise(a + j * n, n, j);
#pragma acc parallel num_gangs(2, 2, 2)
      {
#pragma acc loop gang(dim : 3)
        for (int k = 0; k < 2; ++k) rows(a + k * n * m / 2, n, m / 2);
      }
#pragma acc parallel num_gangs(2, 3)
      rows_by_calls(a, n, m);
    }
    show("a", a, n * m);
    free(a);
  }
  return 0;
}
