#include <stdio.h>
#ifndef MAIN
#define MAIN main
#endif
int two(void);

static int sum(int n) {
  int s = 0;
#pragma acc parallel loop reduction(+ : s)
  for (int i = 0; i < n; ++i) s += i;
  return s;
}

int MAIN(void) {
  printf("%d %d\n", sum(10), two());
  return 0;
}
