// A region of its own queue with data clauses of its own: copies before and behind it go by the queue too.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc parallel loop async(1) copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = a[i] * 2 + 1;
#pragma acc parallel loop async(2) copy(b[0:n])
  for (int i = 0; i < n; ++i) b[i] = b[i] * 3 + 1;
#pragma acc wait
  show("a", a, n);
  show("b", b, n);
#pragma acc kernels async copyin(b[0:n]) copyout(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = b[i] - 9;
#pragma acc wait
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
