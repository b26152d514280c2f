// Gang, worker and vector loops in each other, of sizes that fit nothing.
#include "acctest.h"
static void work(int l, int m, int n, int *a) {
#pragma acc parallel loop gang num_workers(4) vector_length(32) copy(a[0:l*m*n])
  for (int i = 0; i < l; ++i) {
#pragma acc loop worker
    for (int j = 0; j < m; ++j) {
#pragma acc loop vector
      for (int k = 0; k < n; ++k) a[(i * m + j) * n + k] += i * 10000 + j * 100 + k;
    }
  }
}
int main(void) {
  const int dims[][3] = {{1, 1, 1}, {3, 5, 7}, {4, 4, 32}, {2, 9, 33}, {7, 1, 65}, {0, 3, 3}, {3, 0, 3}, {3, 3, 0}};
  for (int d = 0; d < 8; ++d) {
    int size = dims[d][0] * dims[d][1] * dims[d][2];
    int *a = new_ints(size, d);
    work(dims[d][0], dims[d][1], dims[d][2], a);
    show("a", a, size);
    free(a);
  }
  return 0;
}
