// Loops of kernels whose iterations depend on each other run in order; those that do not may run at once.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc kernels copy(a[0:n], b[0:n])
    {
      for (int i = 1; i < n; ++i) a[i] = a[i - 1] + (a[i] & 7);
      for (int i = 0; i + 1 < n; ++i) b[i] = b[i + 1] - 3;
      for (int i = 4; i < n; ++i) a[i] = a[i - 4] ^ i;
      for (int i = 0; i < n / 2; ++i) b[i] = b[i + n / 2] + 1;
    }
    show("a", a, n);
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
