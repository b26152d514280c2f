// A stencil that iterates until it is steady: data region, max reduction, copy of the new field.
#include <math.h>
#include "acctest.h"
int main(void) {
  enum { M = 18, N = 22 };
  static double a[M][N], next[M][N];
  for (int i = 0; i < M; ++i) a[i][0] = 64.0;
  int steps = 0;
  double error = 1;
#pragma acc data copy(a) create(next)
  while (error > 0.5 && steps < 40) {
    error = 0;
#pragma acc parallel loop reduction(max : error)
    for (int i = 1; i < M - 1; ++i) {
#pragma acc loop reduction(max : error)
      for (int j = 1; j < N - 1; ++j) {
        next[i][j] = 0.25 * (a[i][j + 1] + a[i][j - 1] + a[i - 1][j] + a[i + 1][j]);
        error = fmax(error, fabs(next[i][j] - a[i][j]));
      }
    }
#pragma acc kernels
    for (int i = 1; i < M - 1; ++i)
      for (int j = 1; j < N - 1; ++j) a[i][j] = next[i][j];
    ++steps;
  }
  printf("%d %.12g\n", steps, error);
  show_doubles("a", &a[0][0], M * N);
  return 0;
}
