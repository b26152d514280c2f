// Values of routines that threads call together, inside of expressions and conditions.
#include "acctest.h"
#pragma acc routine worker
char all_below(int i, int n) {
  long counted = 0;
  for (long k = 0; k < n; ++k) counted += k >= 0;
  return counted == n && i >= 0;
}
#pragma acc routine vector
int twice(int i) { return 2 * i; }
int main(void) {
  FOR_SIZES(n) {
    int sum = 0, weighted = 0, many = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < n; ++i) sum += all_below(i, 5);
#pragma acc parallel loop gang reduction(+ : weighted)
    for (int i = 0; i < n; ++i) weighted += twice(i) + twice(i + 1) * 3 % 11;
#pragma acc parallel loop reduction(+ : many)
    for (int i = 0; i < n; ++i)
      if (i % 3 && twice(i) > 5) many += 1;
    printf("%d %d %d %d\n", n, sum, weighted, many);
  }
}
