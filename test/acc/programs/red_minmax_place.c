// The place of the largest element: a reduction, then a second one that uses its value.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 5);
    int most = -1000, at = n;
#pragma acc data copyin(a[0:n])
    {
#pragma acc parallel loop reduction(max : most)
      for (int i = 0; i < n; ++i) most = a[i] > most ? a[i] : most;
#pragma acc parallel loop reduction(min : at)
      for (int i = 0; i < n; ++i)
        if (a[i] == most && i < at) at = i;
    }
    printf("%d %d\n", most, at);
    free(a);
  }
  return 0;
}
