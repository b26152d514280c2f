// Reductions over collapsed and tiled loops.
#include "acctest.h"
int main(void) {
  const int dims[][2] = {{0, 3}, {3, 0}, {1, 1}, {33, 17}, {5, 130}};
  for (int d = 0; d < 5; ++d) {
    int m = dims[d][0], n = dims[d][1];
    int *a = new_ints(m * n, d);
    int sum = 0, most = -9999, x = 0;
#pragma acc parallel loop collapse(2) copyin(a[0:m*n]) reduction(+ : sum) reduction(max : most)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        sum += a[i * n + j] * (i + 1);
        most = a[i * n + j] > most ? a[i * n + j] : most;
      }
#pragma acc parallel loop tile(4, 8) copyin(a[0:m*n]) reduction(^ : x)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) x ^= a[i * n + j] + i * j;
    printf("%d %d %d\n", sum, most, x);
    free(a);
  }
  return 0;
}
