// atomic update on all types.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    long l = 1;
    unsigned long long ull = 2;
    float f = 0.5f;
    double d = 0.25;
    unsigned u = 3;
    short s = 4;
    unsigned char c = 5;
#pragma acc parallel loop copyin(a[0:n]) copy(l, ull, f, d, u, s, c)
    for (int i = 0; i < n; ++i) {
#pragma acc atomic
      l += a[i];
#pragma acc atomic
      ull ^= (unsigned long long)i << 34;
#pragma acc atomic
      f += (float)a[i];
#pragma acc atomic
      d -= a[i] * 0.5;
#pragma acc atomic
      u += (unsigned)a[i];
#pragma acc atomic
      s += (short)i;
#pragma acc atomic
      c += (unsigned char)i;
    }
    printf("%ld %llu %g %g %u %d %d\n", l, ull, f, d, u, s, c);
    free(a);
  }
  return 0;
}
