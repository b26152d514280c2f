// routine worker: loops over workers and lanes inside, called from gang loops.
#include "acctest.h"
#pragma acc routine worker
static void plane(int *a, int m, int n, int add) {
#pragma acc loop worker
  for (int i = 0; i < m; ++i) {
    int base = i * add;
#pragma acc loop vector
    for (int j = 0; j < n; ++j) a[i * n + j] += base + j;
  }
}
int main(void) {
  enum { L = 5 };
  const int dims[][2] = {{1, 1}, {3, 33}, {9, 20}};
  for (int d = 0; d < 3; ++d) {
    int m = dims[d][0], n = dims[d][1];
    int *a = new_ints(L * m * n, d);
#pragma acc parallel loop gang num_workers(4) vector_length(32) copy(a[0:L*m*n])
    for (int l = 0; l < L; ++l) plane(a + l * m * n, m, n, l);
    show("a", a, L * m * n);
    free(a);
  }
  return 0;
}
