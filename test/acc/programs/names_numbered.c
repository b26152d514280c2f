// Functions whose names are those of others with a number behind them.
#include "acctest.h"
static int a[10], b[10];
static void f(void) {
#pragma acc kernels copy(a, b)
  {
    for (int i = 0; i < 10; ++i) a[i] += 1;
    for (int i = 0; i < 10; ++i) b[i] += a[9 - i];
  }
}
static void f_1(void) {
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; ++i) a[i] += 100;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 10; ++i) a[i] += 1000;
}
int main(void) {
  f();
  f_1();
  printf("%d %d\n", a[3], b[3]);
}
