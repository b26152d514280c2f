// Row A12: scalars of kernels that nests of loops leave a value in: the last iteration's, written once.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    const int w = n > 40 ? 40 : n;
    double tmp = -1, sum = -2, deep = -3, lone = -4, empty = -5, mixed = -6;
    double(*a)[40] = malloc(sizeof(double[40][40])), (*c)[40] = malloc(sizeof(double[40][40]));
    for (int i = 0; i < 40; ++i)
      for (int j = 0; j < 40; ++j) a[i][j] = i - 2 * j, c[i][j] = 0;
#pragma acc kernels copyin(a[0:40]) copy(c[0:40])
#pragma acc loop independent
    for (int i = 0; i < w; ++i) {
#pragma acc loop independent
      for (int j = 0; j < w; ++j) {
        tmp = i * 100 + j;
        c[i][j] = tmp;
      }
    }
#pragma acc kernels copyin(a[0:40]) copy(c[0:40])
#pragma acc loop independent
    for (int i = 0; i < w; ++i) {
#pragma acc loop independent
      for (int j = 0; j < w; ++j) {
        sum = 0;
#pragma acc loop reduction(+ : sum)
        for (int k = 0; k < w; ++k) sum += a[i][k] * a[k][j];
        c[i][j] += sum;
      }
    }
#pragma acc kernels copyin(a[0:40]) copy(c[0:40])
    for (int i = 0; i < w; ++i)
      for (int j = 0; j < w - 1; ++j)
        for (int k = 0; k < 3; ++k) {
          deep = a[i][j] + k;
          if (k == 1) c[i][j] -= deep;
        }
#pragma acc kernels copy(c[0:40])
#pragma acc loop independent gang
    for (int i = 0; i < w; ++i) {
      c[i][0] += 1;
#pragma acc loop independent vector
      for (int j = w; j > 1; j -= 2) {
        lone = c[i][0] * j;
        c[i][j - 1] = lone;
      }
    }
#pragma acc kernels copy(c[0:40])
#pragma acc loop independent
    for (int i = 0; i < w; ++i) {
#pragma acc loop independent
      for (int j = 5; j < 5; ++j) {
        empty = j;
        c[i][j] = empty;
      }
    }
#pragma acc kernels copy(c[0:40])
#pragma acc loop independent
    for (int i = 0; i < w; ++i) {
#pragma acc loop seq
      for (int j = 1; j < w; ++j) {
        mixed = c[i][j - 1] + 1;
        c[i][j] = mixed;
      }
    }
    printf("%d: %g %g %g %g %g %g\n", n, tmp, sum, deep, lone, empty, mixed);
    show_doubles("c", &c[0][0], 1600);
    free(a), free(c);
  }
  return 0;
}
