// host_data use_device hands the device's address to a function, which takes it as deviceptr.
#include "acctest.h"
static void twice(int n, int *d) {
#pragma acc parallel loop deviceptr(d)
  for (int i = 0; i < n; ++i) d[i] *= 2;
}
int main(void) {
  FOR_SIZES(n) {
    if (n == 0) continue;  // sections of no bytes are not present
    int *a = new_ints(n, 1);
    int f[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
#pragma acc data copy(a[0:n], f)
    {
#pragma acc host_data use_device(a, f)
      {
        twice(n, a);
        twice(10, f);
      }
#pragma acc parallel loop present(a)
      for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc host_data use_device(a) if (n > 0)
      if (n > 0) twice(n, a);
    }
    show("a", a, n);
    show("f", f, 10);
    free(a);
  }
  return 0;
}
