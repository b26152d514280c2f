// Sums in kernels that no clause names.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 3);
    int sum = 100, most = -1000;
#pragma acc kernels copyin(a[0:n])
    {
      for (int i = 0; i < n; ++i) sum += a[i];
      for (int i = 0; i < n; ++i)
        if (a[i] > most) most = a[i];
    }
    printf("%d %d\n", sum, most);
    free(a);
  }
  return 0;
}
