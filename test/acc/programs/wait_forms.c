// wait with devnum, queues, if; acc_async_noval and acc_async_sync as arguments.
#include "acctest.h"
#ifdef _OPENACC
#include <openacc.h>
#else
enum { acc_async_noval = -1, acc_async_sync = -2 };
#endif
static int with(int n) {
  int *a = new_ints(n, 1);
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop async(acc_async_noval) present(a)
  for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc wait(acc_async_noval)
#pragma acc parallel loop async(acc_async_sync) present(a)
  for (int i = 0; i < n; ++i) a[i] *= 2;
#pragma acc parallel loop async(5) present(a)
  for (int i = 0; i < n; ++i) a[i] -= 3;
#pragma acc wait(devnum : 0 : queues : 5) if (n > 5)
#pragma acc wait(6) if (n < 5)
#pragma acc wait(queues : 5, 6)
#pragma acc exit data copyout(a[0:n])
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
