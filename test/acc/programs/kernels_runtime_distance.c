// A distance that only the run knows: parallel where it is large or 0, in order where not.
#include "acctest.h"
static void shift(int *a, int n, int k) {
#pragma acc kernels copy(a[0:n])
  for (int i = (k > 0 ? k : 0); i < n + (k < 0 ? k : 0); ++i) a[i] = a[i - k] + i;
}
int main(void) {
  FOR_SIZES(n) {
    for (int k = -2; k <= 2; ++k) {
      int *a = new_ints(n, k + 9);
      shift(a, n, k);
      show("a", a, n);
      free(a);
    }
  }
  return 0;
}
