// atomic with shifts, division and reversed operands, one update a place.
#include "acctest.h"
int main(void) {
  enum { N = 64 };
  int a[N], b[N], c[N], d[N];
  for (int i = 0; i < N; ++i) a[i] = i + 1, b[i] = i * 1000, c[i] = i % 20, d[i] = i % 5 + 1;
#pragma acc parallel loop copy(a, b, c, d)
  for (int i = 0; i < N; ++i) {
#pragma acc atomic
    a[i] <<= 3;
#pragma acc atomic
    b[i] /= 7;
#pragma acc atomic
    b[i] = b[i] >> 1;
#pragma acc atomic
    c[i] = 100 - c[i];
#pragma acc atomic
    d[i] = 1000 / d[i];
    int v;
#pragma acc atomic capture
    { a[i] = 3 - a[i]; v = a[i]; }
#pragma acc atomic capture
    v = c[i] = 5 * c[i];
#pragma acc atomic
    d[i] += v;
  }
  show("a", a, N);
  show("b", b, N);
  show("c", c, N);
  show("d", d, N);
  return 0;
}
