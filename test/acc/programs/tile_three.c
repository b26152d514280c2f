// tile over three loops in a construct of its own, with gang and vector.
#include "acctest.h"
int main(void) {
  enum { L = 7, M = 10, N = 23 };
  static int a[L][M][N];
#pragma acc parallel copyout(a)
  {
#pragma acc loop gang worker vector tile(2, 4, 8)
    for (int i = 0; i < L; ++i)
      for (int j = 0; j < M; ++j)
        for (int k = 0; k < N; ++k) a[i][j][k] = i * 500 + j * 30 + k;
  }
  show("a", &a[0][0][0], L * M * N);
  return 0;
}
