// float and double arithmetic that both sides round alike: conversions, comparisons, mixed expressions.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    double *d = new_doubles(n, 1), *e = new_doubles(n, 2);
    float *f = (float *)malloc(sizeof(float) * (size_t)(n + 1));
#pragma acc parallel loop copyin(d[0:n]) copy(e[0:n]) copyout(f[0:n])
    for (int i = 0; i < n; ++i) {
      f[i] = (float)d[i] / 3.0f;
      e[i] = d[i] > e[i] ? d[i] / 7.0 : -e[i];
      e[i] += (int)(d[i] * 2);
      if (f[i] != f[i] || d[i] >= 15.0) f[i] = -0.0f;
    }
    printf("%08x\n", hash_of(f, sizeof(float) * (size_t)n));
    show_doubles("e", e, n);
    free(d); free(e); free(f);
  }
  return 0;
}
