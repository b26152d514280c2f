// assert in regions and routines holds on the device as on the host.
#include "acctest.h"
#include <assert.h>
#pragma acc routine seq
static int half(int x) {
  assert(x % 2 == 0);
  return x / 2;
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; ++i) {
      assert(i < n && "counted");
      if (i % 3) assert(a[i] <= 100); else assert(a[i] >= -100);
      a[i] = half(2 * a[i]) + 1;
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
