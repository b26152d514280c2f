// Pointers to arrays of known size, as parameters and from malloc.
#include "acctest.h"
enum { W = 24 };
static void shift(int n, int (*a)[W], int b[][W]) {
#pragma acc parallel loop gang copyin(a[0:n]) copy(b[0:n][0:W])
  for (int i = 0; i < n; ++i) {
#pragma acc loop vector
    for (int j = 0; j < W; ++j) b[i][j] += a[i][(j + 1) % W];
  }
}
int main(void) {
  for (int n = 0; n < 40; n += 13) {
    int (*a)[W] = malloc(sizeof(int) * W * (size_t)(n + 1)), (*b)[W] = malloc(sizeof(int) * W * (size_t)(n + 1));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < W; ++j) a[i][j] = i * j, b[i][j] = i - j;
    shift(n, a, b);
    show("b", &b[0][0], n * W);
    free(a); free(b);
  }
  return 0;
}
