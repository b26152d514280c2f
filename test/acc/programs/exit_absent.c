// Row A9: exit data of what is not there does nothing.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 1);
#pragma acc exit data copyout(a[0:n])
#pragma acc exit data delete(a[0:n])
#pragma acc exit data delete(a[0:n]) finalize
  show("a", a, n);
  free(a);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
