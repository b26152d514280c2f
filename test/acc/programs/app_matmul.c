// Products of matrices: naive with a sum of one lane, with a sum of lanes, with tiles.
#include "acctest.h"
static void product(int m, int n, int k, const int *a, const int *b, int *c, int way) {
#pragma acc data copyin(a[0:m*k], b[0:k*n]) copyout(c[0:m*n])
  {
    if (way == 0) {
#pragma acc parallel loop collapse(2)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          int s = 0;
#pragma acc loop seq
          for (int l = 0; l < k; ++l) s += a[i * k + l] * b[l * n + j];
          c[i * n + j] = s;
        }
    } else if (way == 1) {
#pragma acc parallel loop gang worker collapse(2) num_workers(4) vector_length(32)
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          int s = 0;
#pragma acc loop vector reduction(+ : s)
          for (int l = 0; l < k; ++l) s += a[i * k + l] * b[l * n + j];
          c[i * n + j] = s;
        }
    } else {
#pragma acc kernels loop tile(4, 16) independent
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          int s = 0;
          for (int l = 0; l < k; ++l) s += a[i * k + l] * b[l * n + j];
          c[i * n + j] = s;
        }
    }
  }
}
int main(void) {
  const int dims[][3] = {{1, 1, 1}, {5, 7, 9}, {16, 16, 16}, {33, 17, 40}, {3, 4, 0}};
  for (int d = 0; d < 5; ++d) {
    int m = dims[d][0], n = dims[d][1], k = dims[d][2];
    int *a = new_ints(m * k, 1), *b = new_ints(k * n, 2), *c = new_ints(m * n, 3);
    for (int way = 0; way < 3; ++way) {
      product(m, n, k, a, b, c, way);
      show("c", c, m * n);
    }
    free(a); free(b); free(c);
  }
  return 0;
}
