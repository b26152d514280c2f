// routine bind: the device calls another function of the same meaning; nohost beside it.
#include "acctest.h"
#pragma acc routine seq
int device_twice(int x) { return x + x; }
#pragma acc routine seq bind(device_twice)
int twice(int x) { return 2 * x; }
#pragma acc routine seq bind("device_thrice")
int thrice(int x) { return 3 * x; }
#pragma acc routine seq
int device_thrice(int x) { return x + x + x; }
#pragma acc routine seq nohost
int only(int x) { return x - 1; }
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] = twice(a[i]) + thrice(i) + only(3);
    show("a", a, n);
    free(a);
  }
  return 0;
}
