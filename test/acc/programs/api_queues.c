// Row A12: acc_async_test, acc_wait, acc_wait_all, acc_wait_async, default queues.
#include "acctest.h"
#ifdef _OPENACC
#include <openacc.h>
#endif
static int with(int n) {
  int ok = 1;
  int *a = new_ints(n, 1);
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop present(a) async(1)
  for (int i = 0; i < n; ++i) a[i] += 3;
#ifdef _OPENACC
  acc_wait_async(1, 2);
#endif
#pragma acc parallel loop present(a) async(2)
  for (int i = 0; i < n; ++i) a[i] *= 3;
#ifdef _OPENACC
  acc_wait(2);
  ok = ok && acc_async_test(1) && acc_async_test(2);
  acc_set_default_async(4);
  ok = ok && acc_get_default_async() == 4;
#endif
#pragma acc parallel loop present(a) async
  for (int i = 0; i < n; ++i) a[i] -= 3;
#ifdef _OPENACC
  acc_wait(4);
  acc_wait_all();
  ok = ok && acc_async_test_all();
#endif
#pragma acc exit data copyout(a[0:n])
  show("a", a, n);
  printf("%d\n", ok);
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
