// Row A5: the inner of two parallel loops goes to x, also where the subscripts stand the other way round.
#include "acctest.h"
enum { M = 45, N = 70 };
static int a[M][N], b[N][M];
int main(void) {
#pragma acc kernels
#pragma acc loop independent
  for (int i = 0; i < M; ++i) {
#pragma acc loop independent
    for (int j = 0; j < N; ++j) a[i][j] = i * N + j;
  }
#pragma acc kernels
#pragma acc loop independent
  for (int j = 0; j < N; ++j) {
#pragma acc loop independent
    for (int i = 0; i < M; ++i) b[j][i] = a[i][j] * 2;
  }
  show("a", &a[0][0], M * N);
  show("b", &b[0][0], M * N);
  return 0;
}
