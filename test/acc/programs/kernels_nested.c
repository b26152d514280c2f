// Nests in kernels: both loops independent, only the outer, only the inner.
#include "acctest.h"
enum { M = 37 };
static int a[M][M], b[M][M];
int main(void) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < M; ++j) a[i][j] = i * 100 + j;
#pragma acc kernels
  {
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < M; ++j) b[i][j] = a[j][i] + 1;
    for (int i = 0; i < M; ++i)
      for (int j = 1; j < M; ++j) b[i][j] += b[i][j - 1] & 15;
    for (int i = 1; i < M; ++i)
      for (int j = 0; j < M; ++j) a[i][j] = a[i - 1][j] + b[i][j];
  }
  show("a", &a[0][0], M * M);
  show("b", &b[0][0], M * M);
  return 0;
}
