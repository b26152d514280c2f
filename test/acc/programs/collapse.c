// collapse of two and three loops, with bounds and steps of all kinds.
#include "acctest.h"
int main(void) {
  const int dims[][3] = {{0, 4, 4}, {4, 0, 4}, {4, 4, 0}, {1, 1, 1}, {3, 17, 5}, {9, 2, 33}};
  for (int d = 0; d < 6; ++d) {
    int l = dims[d][0], m = dims[d][1], n = dims[d][2];
    int *a = new_ints(l * m * n, d);
#pragma acc parallel loop collapse(3) copy(a[0:l*m*n])
    for (int i = 0; i < l; ++i)
      for (int j = 0; j < m; ++j)
        for (int k = 0; k < n; ++k) a[(i * m + j) * n + k] += i * 7 + j * 5 + k;
    show("a", a, l * m * n);
#pragma acc parallel loop gang collapse(2) copy(a[0:l*m*n])
    for (int i = l - 1; i >= 0; --i)
      for (int j = 1; j < m; j += 2) {
#pragma acc loop vector
        for (int k = 0; k < n; ++k) a[(i * m + j) * n + k] -= j;
      }
    show("a", a, l * m * n);
#pragma acc kernels loop collapse(2) independent copy(a[0:l*m*n])
    for (int i = 0; i < l; ++i)
      for (unsigned j = 0; j < (unsigned)(m * n); j += 3) a[i * m * n + (int)j] *= 2;
    show("a", a, l * m * n);
    free(a);
  }
  return 0;
}
