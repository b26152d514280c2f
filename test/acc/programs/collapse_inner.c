// collapse on inner loops, and one that a vector loop holds alone.
#include "acctest.h"
int main(void) {
  enum { L = 6, M = 11, N = 9 };
  static int a[L][M][N];
  int total = 0;
#pragma acc parallel loop gang copyout(a) reduction(+ : total)
  for (int i = 0; i < L; ++i) {
    int sum = 0;
#pragma acc loop vector collapse(2) reduction(+ : sum)
    for (int j = 0; j < M; ++j)
      for (int k = 0; k < N; ++k) {
        a[i][j][k] = i * j - k;
        sum += a[i][j][k];
      }
    total += sum;
  }
  show("a", &a[0][0][0], L * M * N);
  printf("%d\n", total);
  return 0;
}
