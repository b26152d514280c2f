// The game of life on a torus: two fields that change places, in one data region.
#include "acctest.h"
static void step(int m, int n, const unsigned char *a, unsigned char *b) {
#pragma acc parallel loop collapse(2) present(a[0:m*n], b[0:m*n])
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int alive = 0;
      for (int di = -1; di <= 1; ++di)
        for (int dj = -1; dj <= 1; ++dj)
          if (di || dj) alive += a[(i + di + m) % m * n + (j + dj + n) % n];
      b[i * n + j] = alive == 3 || (alive == 2 && a[i * n + j]);
    }
}
int main(void) {
  int m = 19, n = 23;
  unsigned char *a = (unsigned char *)malloc((size_t)(m * n)), *b = (unsigned char *)calloc((size_t)(m * n), 1);
  for (int i = 0; i < m * n; ++i) a[i] = (i * i + i / 3) % 5 < 2;
#pragma acc data copy(a[0:m*n]) create(b[0:m*n])
  for (int t = 0; t < 6; t += 2) {
    step(m, n, a, b);
    step(m, n, b, a);
  }
  printf("%08x\n", hash_of(a, (size_t)(m * n)));
  free(a); free(b);
  return 0;
}
