// update if_present of what is not present does nothing.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc data copy(b[0:n])
  {
#pragma acc parallel loop present(b)
    for (int i = 0; i < n; ++i) b[i] += 4;
#pragma acc update self(a[0:n], b[0:n]) if_present
    show("b", b, n);
#pragma acc update device(a[0:n]) if_present
  }
  show("a", a, n);
  free(a); free(b);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
