// Row A3: elements of all sizes.
#include "acctest.h"
typedef struct { char c; double d; short s; } Mixed;
typedef struct { float x, y, z; } Three;
int main(void) {
  FOR_SIZES(n) {
    size_t m = (size_t)n + 1;
    char *c = (char *)malloc(m);
    short *s = (short *)malloc(2 * m);
    long *l = (long *)malloc(8 * m);
    float *f = (float *)malloc(4 * m);
    double *d = (double *)malloc(8 * m);
    Mixed *x = (Mixed *)calloc(m, sizeof(Mixed));
    Three *t = (Three *)malloc(sizeof(Three) * m);
#pragma acc parallel loop copyout(c[0:n], s[0:n], l[0:n], f[0:n], d[0:n], t[0:n]) copy(x[0:n])
    for (int i = 0; i < n; ++i) {
      c[i] = (char)i;
      s[i] = (short)(i * 3);
      l[i] = (long)i << 35;
      f[i] = i * 0.5f;
      d[i] = i * 0.25;
      x[i].c = (char)(i + 1);
      x[i].d = f[i];
      x[i].s = s[i];
      t[i].x = 1;
      t[i].y = f[i];
      t[i].z = -f[i];
    }
    printf("%08x %08x %08x %08x %08x %08x\n", hash_of(c, (size_t)n), hash_of(s, 2 * (size_t)n), hash_of(l, 8 * (size_t)n),
           hash_of(f, 4 * (size_t)n), hash_of(d, 8 * (size_t)n), hash_of(t, sizeof(Three) * (size_t)n));
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i].c + x[i].d + x[i].s;
    printf("%g\n", sum);
    free(c); free(s); free(l); free(f); free(d); free(x); free(t);
  }
  return 0;
}
