// routine gang: loops over gangs in a function that a region calls.
#include "acctest.h"
#pragma acc routine gang
static void all(int *a, int n, int k) {
#pragma acc loop gang vector
  for (int i = 0; i < n; ++i) a[i] = a[i] * k + i;
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
#pragma acc parallel num_gangs(4) vector_length(32) copy(a[0:n])
    {
      all(a, n, 3);
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
