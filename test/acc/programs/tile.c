// tile with sizes and *, where nothing divides anything.
#include "acctest.h"
int main(void) {
  const int dims[][2] = {{0, 3}, {3, 0}, {1, 1}, {8, 8}, {37, 53}};
  for (int d = 0; d < 5; ++d) {
    int m = dims[d][0], n = dims[d][1];
    int *a = new_ints(m * n, d);
#pragma acc parallel loop tile(4, 8) copy(a[0:m*n])
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) a[i * n + j] += i - j;
#pragma acc parallel loop tile(*, 16) copy(a[0:m*n])
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) a[i * n + j] *= 3;
#pragma acc parallel loop gang vector tile(32) copy(a[0:m*n])
    for (int i = m * n - 1; i >= 0; i -= 2) a[i] ^= i;
#pragma acc kernels loop tile(3, 5) independent copy(a[0:m*n])
    for (int i = 0; i < m; ++i)
      for (int j = n - 1; j >= 0; --j) a[i * n + j] -= j;
    show("a", a, m * n);
    free(a);
  }
  return 0;
}
