// Integer arithmetic of C in regions: promotions, wrapping, shifts, divisions, signs, chars.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    long long *out = (long long *)malloc(sizeof(long long) * (size_t)(n + 1));
#pragma acc parallel loop copyin(a[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; ++i) {
      unsigned char c = (unsigned char)a[i];
      signed char s = (signed char)(a[i] * 3);
      unsigned short us = (unsigned short)(c * s);
      unsigned u = (unsigned)a[i] * 2654435761u;
      long long l = (long long)a[i] * (1LL << 33);
      int d = a[i] ? 1000000 / a[i] : -1, m = a[i] % 7;
      l += (u >> 5) + (a[i] >> 2) + us / (c + 1) + ~s + (c > s) + (!m) * 17 - d;
      out[i] = l ^ (long long)((u << 3) | (u >> 29)) ^ (m < 0 ? -m : m);
    }
    printf("%08x\n", hash_of(out, sizeof(long long) * (size_t)n));
    free(a); free(out);
  }
  return 0;
}
