// Row A10: independent overrides what the compiler cannot prove.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 3), *p = new_ints(n, 0), *out = new_ints(n, 1);
    for (int i = 0; i < n; ++i) p[i] = (int)(((long long)i * 2 + n - 1) % (n ? n : 1));
    if (n % 2 == 0)
      for (int i = 0; i < n; ++i) p[i] = n - 1 - i;
#pragma acc kernels copyin(a[0:n], p[0:n]) copy(out[0:n])
#pragma acc loop independent
    for (int i = 0; i < n; ++i) out[p[i]] = a[i];
    show("out", out, n);
    free(a); free(p); free(out);
  }
  return 0;
}
