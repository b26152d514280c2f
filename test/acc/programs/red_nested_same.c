// One variable reduced at every level of a nest.
#include "acctest.h"
static int work(int l, int m, int n, const int *a) {
  int sum = 1000;
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a[0:l*m*n]) reduction(+ : sum)
  for (int i = 0; i < l; ++i) {
#pragma acc loop worker reduction(+ : sum)
    for (int j = 0; j < m; ++j) {
#pragma acc loop vector reduction(+ : sum)
      for (int k = 0; k < n; ++k) sum += a[(i * m + j) * n + k];
    }
  }
  return sum;
}
int main(void) {
  const int dims[][3] = {{1, 1, 1}, {3, 5, 7}, {4, 4, 32}, {2, 9, 33}, {7, 1, 65}, {0, 3, 3}, {3, 0, 3}, {3, 3, 0}};
  for (int d = 0; d < 8; ++d) {
    int size = dims[d][0] * dims[d][1] * dims[d][2];
    int *a = new_ints(size, d);
    printf("%d\n", work(dims[d][0], dims[d][1], dims[d][2], a));
    free(a);
  }
  return 0;
}
