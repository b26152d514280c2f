// Pointers to arrays of variable length, three dimensions, extents that are expressions.
#include "acctest.h"
static int total(int l, int m, int n, int (*a)[m + 1][2 * n]) {
  int sum = 0;
#pragma acc parallel loop collapse(3) copyin(a[0:l]) reduction(+ : sum)
  for (int i = 0; i < l; ++i)
    for (int j = 0; j < m + 1; ++j)
      for (int k = 0; k < 2 * n; ++k) sum += a[i][j][k] * (k + 1);
  return sum;
}
int main(void) {
  for (int s = 1; s < 8; s += 3) {
    int l = s, m = s + 2, n = s * 3;
    int (*a)[m + 1][2 * n] = malloc(sizeof(int) * (size_t)(l * (m + 1) * 2 * n));
#pragma acc parallel loop gang copyout(a[0:l])
    for (int i = 0; i < l; ++i)
      for (int j = 0; j <= m; ++j) {
#pragma acc loop vector
        for (int k = 0; k < 2 * n; ++k) a[i][j][k] = i + j - k;
      }
    show("a", &a[0][0][0], l * (m + 1) * 2 * n);
    printf("%d\n", total(l, m, n, a));
    free(a);
  }
  return 0;
}
