// Row A6: steps other than 1, both directions, all comparisons.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i += 3) a[i] += 1;
#pragma acc parallel loop copy(a[0:n])
    for (int i = n - 1; i >= 0; i -= 2) a[i] += 20;
#pragma acc parallel loop copy(a[0:n])
    for (int i = n - 1; i > -1; --i) a[i] *= 3;
#pragma acc parallel loop copy(a[0:n])
    for (int i = 1; i <= n - 1; i = i + 4) a[i] -= 7;
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i != n; i++) a[i] ^= 9;
#pragma acc parallel loop copy(a[0:n])
    for (int i = n; i != 0; i--) a[i - 1] += i;
#pragma acc parallel loop copy(a[0:n])
    for (int i = 5; n > i; i += 5) a[i] += 1000;
    int step = n / 10 + 1, from = n / 4;
#pragma acc parallel loop copy(a[0:n])
    for (int i = from; i < n; i += step) a[i] = -i;
    show("a", a, n);
    free(a);
  }
  return 0;
}
