// Bounds of inner loops that depend on outer counters.
#include "acctest.h"
int main(void) {
  enum { N = 50 };
  static int a[N][N];
  int total = 0;
#pragma acc parallel loop gang copy(a) reduction(+ : total)
  for (int i = 0; i < N; ++i) {
    int sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int j = i; j < N; ++j) {
      a[i][j] = i + 2 * j;
      sum += j;
    }
#pragma acc loop vector
    for (int j = 0; j < i; ++j) a[i][j] = -j;
    total += sum;
  }
  show("a", &a[0][0], N * N);
  printf("%d\n", total);
  return 0;
}
