// Arrays of variable length, as locals and as parameters.
#include "acctest.h"
static void fill(int m, int n, int a[m][n]) {
#pragma acc parallel loop collapse(2) copyout(a[0:m][0:n])
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) a[i][j] = i * 50 + j;
}
int main(void) {
  const int dims[][2] = {{1, 1}, {5, 33}, {33, 5}, {20, 20}};
  for (int d = 0; d < 4; ++d) {
    int m = dims[d][0], n = dims[d][1];
    int a[m][n], b[n][m], v[n + 1];
    fill(m, n, a);
#pragma acc parallel loop gang copyin(a) copyout(b, v)
    for (int j = 0; j < n; ++j) {
#pragma acc loop vector
      for (int i = 0; i < m; ++i) b[j][i] = a[i][j] + 1;
      v[j] = j;
    }
    v[n] = 0;
#pragma acc kernels
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) a[i][j] += b[j][i] + v[j];
    show("a", &a[0][0], m * n);
    show("b", &b[0][0], m * n);
    show("v", v, n);
  }
  return 0;
}
