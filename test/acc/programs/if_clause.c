// if on compute and data constructs, on enter and exit data and update: true, false, with side conditions.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    for (int use = 0; use < 2; ++use) {
#pragma acc parallel loop if (use) copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc kernels if (use && n > 30) copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] *= 3;
#pragma acc serial if (!use) copy(a[0:n])
      for (int i = 1; i < n; ++i) a[i] += a[i - 1] & 1;
#pragma acc data if (use) copy(a[0:n])
      {
#pragma acc parallel loop copy(a[0:n])
        for (int i = 0; i < n; ++i) a[i] -= i;
#pragma acc update self(a[0:n]) if (use)
        for (int i = 0; i < n; ++i) a[i] += 100;
#pragma acc update device(a[0:n]) if (use)
#pragma acc parallel loop if (use) copy(a[0:n])
        for (int i = 0; i < n; ++i) a[i] ^= 7;
      }
#pragma acc enter data copyin(a[0:n]) if (use)
#pragma acc parallel loop copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] += 2;
#pragma acc exit data copyout(a[0:n]) if (use)
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
