// Sections that begin elsewhere than at 0, without bounds, of arrays with known size.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    int lo = n / 4, len = n / 2;
#pragma acc parallel loop copy(a[lo:len])
    for (int i = lo; i < lo + len; ++i) a[i] += 1000;
    show("a", a, n);
    free(a);
  }
  int f[60];
  for (int i = 0; i < 60; ++i) f[i] = i;
#pragma acc parallel loop copy(f[:20])
  for (int i = 0; i < 20; ++i) f[i] *= 2;
#pragma acc parallel loop copy(f[40:])
  for (int i = 40; i < 60; ++i) f[i] *= 3;
#pragma acc parallel loop copy(f[:])
  for (int i = 0; i < 60; ++i) f[i] += 1;
#pragma acc parallel loop copy(f)
  for (int i = 20; i < 40; ++i) f[i] = -f[i];
  show("f", f, 60);
  return 0;
}
