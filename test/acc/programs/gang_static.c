// gang(static:): iterations go to gangs in chunks of a fixed size.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2);
#pragma acc parallel num_gangs(4) copy(a[0:n])
    {
#pragma acc loop gang(static : *)
      for (int i = 0; i < n; ++i) a[i] += 5;
    }
#pragma acc parallel loop gang(static : 1) num_gangs(6) copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] *= 3;
#pragma acc parallel loop gang(static : 7) vector num_gangs(3) vector_length(32) copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] -= i;
#pragma acc parallel loop gang(static : 10) num_gangs(3) copy(a[0:n])
    for (int i = n; i > 0; i -= 3) a[i - 1] += 100;
    show("a", a, n);
    free(a);
  }
  return 0;
}
