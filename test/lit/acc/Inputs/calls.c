#include <stdio.h>
#pragma acc routine seq
int square(int x);

static int total(int n) {
  int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += square(i);
  return sum;
}

int main(void) {
  printf("%d %d\n", total(10), total(4) - 4);
  return 0;
}
