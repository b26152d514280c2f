#include <complex.h>
void f(int n, const int *a, double _Complex *out) {
  double _Complex s = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : s)  // NOTE: complex numbers
  for (int i = 0; i < n; ++i) s += a[i];
  *out = s;
}
