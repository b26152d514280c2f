// Prefix sums in three regions: blocks by gangs, sums of blocks by one, corrections.
#include "acctest.h"
enum { B = 32 };
int main(void) {
  FOR_SIZES(n) {
    int blocks = (n + B - 1) / B;
    int *a = new_ints(n, 1), *sums = new_ints(blocks, 0);
#pragma acc data copy(a[0:n]) create(sums[0:blocks])
    {
#pragma acc parallel loop gang
      for (int b = 0; b < blocks; ++b) {
        int s = 0;
        for (int i = b * B; i < (b + 1) * B && i < n; ++i) {
          s += a[i];
          a[i] = s;
        }
        sums[b] = s;
      }
#pragma acc serial
      for (int b = 1; b < blocks; ++b) sums[b] += sums[b - 1];
#pragma acc parallel loop gang vector
      for (int i = B; i < n; ++i) a[i] += sums[i / B - 1];
    }
    show("a", a, n);
    free(a); free(sums);
  }
  return 0;
}
