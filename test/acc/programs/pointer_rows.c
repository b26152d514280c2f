// Arrays of pointers: int **a with a[0:m][0:n].
#include "acctest.h"
int main(void) {
  const int dims[][2] = {{1, 1}, {5, 33}, {33, 5}, {7, 0}};
  for (int d = 0; d < 4; ++d) {
    int m = dims[d][0], n = dims[d][1];
    int **a = (int **)malloc(sizeof(int *) * (size_t)m);
    for (int i = 0; i < m; ++i) a[i] = new_ints(n, i);
#pragma acc parallel loop collapse(2) copy(a[0:m][0:n])
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) a[i][j] += i * 100 + j;
#pragma acc data copy(a[0:m][0:n])
    {
#pragma acc parallel loop gang present(a[0:m][0:n])
      for (int i = 0; i < m; ++i) {
#pragma acc loop vector
        for (int j = 0; j < n; ++j) a[i][j] *= 2;
      }
    }
    for (int i = 0; i < m; ++i) {
      show("row", a[i], n);
      free(a[i]);
    }
    free(a);
  }
  return 0;
}
