// Functions of math.h and stdlib.h in regions.
#include <math.h>
#include "acctest.h"
int main(void) {
  enum { N = 40 };
  double d[N], host[N];
  float f[N];
  int a[N];
  for (int pass = 0; pass < 2; ++pass) {
#pragma acc parallel loop if (pass) copyout(d, f, a)
    for (int i = 0; i < N; ++i) {
      double x = i * 0.25 + 0.125;
      d[i] = sqrt(x) + sin(x) * cos(x) + exp(-x) + pow(x, 1.5) + fabs(x - 4) + floor(x) + fmod(x, 0.7);
      f[i] = sqrtf((float)i) + fmaxf((float)x, 3.0f);
      a[i] = abs(i - 20) + (int)ceil(x);
    }
    if (!pass) memcpy(host, d, sizeof d);
  }
  int good = 1;
  for (int i = 0; i < N; ++i) good = good && fabs(d[i] - host[i]) <= 1e-12 * fabs(host[i]);
  printf("%d %g %g\n", good, f[4], f[16]);
  show("a", a, N);
  return 0;
}
