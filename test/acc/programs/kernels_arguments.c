// Row A7: gang(num:), worker(n) and vector(n) in kernels.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n * 3, 2);
    int v = 64;
#pragma acc kernels copy(a[0:3*n])
    {
#pragma acc loop gang(num : 4) vector(32)
      for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc loop gang(8)
      for (int i = 0; i < 3; ++i) {
#pragma acc loop vector(v)
        for (int j = 0; j < n; ++j) a[i * n + j] *= 2;
      }
#pragma acc loop independent gang
      for (int i = 0; i < 3; ++i) {
#pragma acc loop independent worker(2) vector(length : 32)
        for (int j = 0; j < n; ++j) a[i * n + j] -= i;
      }
    }
    show("a", a, 3 * n);
    free(a);
  }
  return 0;
}
