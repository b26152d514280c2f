// collapse(force:): statements between the loops.
#include "acctest.h"
int main(void) {
  enum { M = 21, N = 13 };
  static int a[M][N];
#pragma acc parallel loop collapse(force : 2) copyout(a)
  for (int i = 0; i < M; ++i) {
    int base = i * 100;
    for (int j = 0; j < N; ++j) a[i][j] = base + j;
  }
  show("a", &a[0][0], M * N);
  return 0;
}
