// loop auto: the compiler decides; wrong to run at once where iterations depend on each other.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 3), *b = new_ints(n, 4);
#pragma acc parallel num_gangs(1) copy(a[0:n], b[0:n])
    {
#pragma acc loop auto
      for (int i = 1; i < n; ++i) a[i] = (a[i - 1] >> 1) + a[i];
#pragma acc loop auto
      for (int i = 0; i < n; ++i) b[i] = b[i] * 2 + 1;
    }
    show("a", a, n);
    show("b", b, n);
#pragma acc parallel loop auto copy(a[0:n])
    for (int i = 2; i < n; ++i) a[i] += a[i - 2];
    show("a", a, n);
    free(a); free(b);
  }
  return 0;
}
