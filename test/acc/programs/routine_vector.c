// routine vector: a loop over the lanes of the worker that calls it, with a sum.
#include "acctest.h"
#pragma acc routine vector
static int row(int *a, int n, int add) {
  int sum = 0;
#pragma acc loop vector reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    a[i] += add;
    sum += a[i];
  }
  return sum;
}
int main(void) {
  const int dims[][2] = {{0, 3}, {3, 0}, {1, 1}, {9, 45}};
  for (int d = 0; d < 4; ++d) {
    int m = dims[d][0], n = dims[d][1];
    int *a = new_ints(m * n, d), *s = new_ints(m, 0);
#pragma acc parallel loop gang vector_length(32) copy(a[0:m*n]) copyout(s[0:m])
    for (int i = 0; i < m; ++i) s[i] = row(a + i * n, n, i);
    show("a", a, m * n);
    show("s", s, m);
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) copy(a[0:m*n])
    for (int i = 0; i < m; ++i) row(a + i * n, n, 1);
    show("a", a, m * n);
    free(a); free(s);
  }
  return 0;
}
