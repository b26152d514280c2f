// Row A9: dynamic counts, structured data inside of them, finalize.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
#pragma acc enter data copyin(a[0:n])
#pragma acc enter data copyin(a[0:n])
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop present(a)
      for (int i = 0; i < n; ++i) a[i] += 3;
    }
#pragma acc exit data delete(a[0:n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; ++i) a[i] *= 2;
#pragma acc exit data copyout(a[0:n])
    show("a", a, n);
#pragma acc enter data copyin(a[0:n])
#pragma acc enter data create(a[0:n])
#pragma acc enter data create(a[0:n])
#pragma acc parallel loop present(a)
    for (int i = 0; i < n; ++i) a[i] -= i;
#pragma acc exit data copyout(a[0:n]) finalize
    show("a", a, n);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] ^= 1;
    show("a", a, n);
    free(a);
  }
  return 0;
}
