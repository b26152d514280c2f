// Row A12: acc_copyin, acc_create, acc_copyout, acc_delete, acc_is_present, acc_update_…
#include "acctest.h"
#ifdef _OPENACC
#include <openacc.h>
#endif
int main(void) {
  FOR_SIZES(n) {
    size_t bytes = sizeof(int) * (size_t)n;
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    int ok = 1;
#ifdef _OPENACC
    acc_copyin(a, bytes);
    acc_create(b, bytes);
    if (n) ok = acc_is_present(a, bytes) && acc_is_present(b, bytes) && acc_deviceptr(a) != 0 && acc_hostptr(acc_deviceptr(b)) == b;
#endif
#pragma acc parallel loop present(a[0:n], b[0:n])
    for (int i = 0; i < n; ++i) b[i] = a[i] + 1;
#ifdef _OPENACC
    acc_update_self(b, bytes);
#endif
    show("b", b, n);
    for (int i = 0; i < n; ++i) a[i] = i;
#ifdef _OPENACC
    acc_update_device(a, bytes);
#endif
#pragma acc parallel loop present(a[0:n], b[0:n])
    for (int i = 0; i < n; ++i) b[i] -= a[i];
#ifdef _OPENACC
    acc_delete(a, bytes);
    acc_copyout(b, bytes);
    if (n) ok = ok && !acc_is_present(a, bytes) && !acc_is_present(b, bytes);
#endif
    show("b", b, n);
    printf("%d\n", ok);
    free(a); free(b);
  }
  return 0;
}
