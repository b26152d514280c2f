// device_type: clauses behind it hold for the device they name.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
#pragma acc parallel loop copy(a[0:n]) num_gangs(2) device_type(nvidia) num_gangs(4) vector_length(32) device_type(*) num_gangs(3)
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc parallel loop copy(a[0:n]) device_type(host) gang device_type(nvidia) gang vector
    for (int i = 0; i < n; ++i) a[i] *= 2;
#pragma acc parallel copy(a[0:n]) dtype(radeon) num_gangs(7) dtype(default) num_gangs(1)
    {
#pragma acc loop device_type(nvidia) seq
      for (int i = 1; i < n; ++i) a[i] += a[i - 1] % 3;
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
