// Shortest ways: a sequential loop around a parallel nest, in one region and in many.
#include "acctest.h"
enum { N = 30 };
int main(void) {
  static int d[N][N], e[N][N];
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) e[i][j] = d[i][j] = i == j ? 0 : 1 + (i * 17 + j * 5) % 90;
#pragma acc data copy(d)
  for (int k = 0; k < N; ++k) {
#pragma acc parallel loop gang
    for (int i = 0; i < N; ++i) {
      if (i != k) {
#pragma acc loop vector
        for (int j = 0; j < N; ++j) {
          int way = d[i][k] + d[k][j];
          if (j != k && way < d[i][j]) d[i][j] = way;
        }
      }
    }
  }
#pragma acc kernels copy(e)
  for (int k = 0; k < N; ++k)
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        if (e[i][k] + e[k][j] < e[i][j]) e[i][j] = e[i][k] + e[k][j];
  show("d", &d[0][0], N * N);
  printf("%d\n", memcmp(d, e, sizeof d));
  return 0;
}
