// atomic capture: places handed out one by one; every form.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *seen = (int *)calloc((size_t)n * 6 + 1, sizeof(int));
    int count = 0, low = n, x = 0, y = 0, z = 0, w = 0;
#pragma acc parallel loop copyin(a[0:n]) copy(seen[0:6*n], count, low, x, y, z, w)
    for (int i = 0; i < n; ++i) {
      int at;
#pragma acc atomic capture
      at = count++;
#pragma acc atomic update
      seen[at] += 1;
#pragma acc atomic capture
      at = --low;
#pragma acc atomic update
      seen[n + at] += 1;
#pragma acc atomic capture
      { at = x; x += 1; }
#pragma acc atomic update
      seen[2 * n + at] += 1;
#pragma acc atomic capture
      { y = y + 1; at = y; }
#pragma acc atomic update
      seen[3 * n + at - 1] += 1;
#pragma acc atomic capture
      at = z += 1;
#pragma acc atomic update
      seen[4 * n + at - 1] += 1;
#pragma acc atomic capture
      { at = w; w++; }
#pragma acc atomic update
      seen[5 * n + at] += 1;
    }
    printf("%d %d %d %d %d %d\n", count, low, x, y, z, w);
    show("seen", seen, 6 * n);
    free(a); free(seen);
  }
  return 0;
}
