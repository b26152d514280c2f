// Row A7: num_gangs, num_workers and vector_length, from constants, variables and expressions.
#include "acctest.h"
static int twice(int x) { return 2 * x; }
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    for (int g = 1; g <= 9; g += 4) {
#pragma acc parallel loop num_gangs(g) copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] += g;
#pragma acc parallel loop gang worker vector num_gangs(g + 1) num_workers(4) vector_length(32) copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] ^= i;
#pragma acc parallel num_gangs(twice(g)) num_workers(1) vector_length(1) copy(a[0:n])
#pragma acc loop gang
      for (int i = 0; i < n; ++i) a[i] += 3;
#pragma acc kernels loop num_gangs(3) num_workers(2) vector_length(64) copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] -= g * i;
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
