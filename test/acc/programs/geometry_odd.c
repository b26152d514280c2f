// Row A7: vector lengths and numbers of workers that are no powers of two.
#include "acctest.h"
int main(void) {
  enum { R = 13, C = 150 };
  static int a[R][C];
  int sum = 0;
#pragma acc parallel loop gang num_workers(3) vector_length(40) copyout(a) reduction(+ : sum)
  for (int r = 0; r < R; ++r) {
    int rowSum = 0;
#pragma acc loop worker vector reduction(+ : rowSum)
    for (int c = 0; c < C; ++c) {
      a[r][c] = r * c;
      rowSum += a[r][c];
    }
    sum += rowSum;
  }
  show("a", &a[0][0], R * C);
  printf("%d\n", sum);
#pragma acc parallel loop gang vector vector_length(7) num_gangs(2) copy(a)
  for (int r = 0; r < R; ++r)
    for (int c = 0; c < C; ++c) a[r][c] -= r;
  show("a", &a[0][0], R * C);
  return 0;
}
