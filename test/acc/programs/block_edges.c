// Row A6: sizes around multiples of a block.
#include "acctest.h"
int main(void) {
  const int sizes[] = {31, 32, 63, 64, 65, 127, 128, 129, 255, 256, 511, 512, 513};
  for (int k = 0; k < 13; ++k) {
    int n = sizes[k];
    int *a = new_ints(n, k);
#pragma acc parallel loop gang vector vector_length(64) copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] = a[i] * 3 + i;
    show("a", a, n);
#pragma acc kernels copy(a[0:n])
    for (int i = n - 1; i >= 0; --i) a[i] -= i;
    show("a", a, n);
    free(a);
  }
  return 0;
}
