// init, set, shutdown with device types and numbers; they change no result.
#include "acctest.h"
static int with(int n) {
  int *a = new_ints(n, 1);
#pragma acc init
#pragma acc init device_type(nvidia) device_num(0)
#pragma acc set device_type(nvidia)
#pragma acc set device_num(0) default_async(3)
#pragma acc set default_async(2) if (n > 3)
#pragma acc parallel loop copy(a[0:n]) async
  for (int i = 0; i < n; ++i) a[i] += 2;
#pragma acc wait(2)
  show("a", a, n);
#pragma acc shutdown if (n > 100)
#pragma acc shutdown device_type(nvidia)
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += 2;
  show("a", a, n);
#pragma acc shutdown
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
