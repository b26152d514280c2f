// Reductions on loops of kernels: outer, inner, both.
#include "acctest.h"
int main(void) {
  enum { M = 19, N = 41 };
  static int a[M][N], rows[M];
  for (int i = 0; i < M * N; ++i) (&a[0][0])[i] = i % 23 - 11;
  int total = 5;
#pragma acc kernels copyin(a) copyout(rows)
  {
#pragma acc loop independent reduction(+ : total)
    for (int i = 0; i < M; ++i) {
      int sum = 0;
#pragma acc loop independent reduction(+ : sum)
      for (int j = 0; j < N; ++j) sum += a[i][j] * j;
      rows[i] = sum;
      total += sum;
    }
#pragma acc loop reduction(+ : total)
    for (int i = 0; i < M; ++i) total += rows[i];
  }
  printf("%d\n", total);
  show("rows", rows, M);
  return 0;
}
