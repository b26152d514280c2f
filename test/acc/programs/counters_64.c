// Counters of 64 bits with values that do not fit 32.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    long long base = 5000000000LL;
    long long *a = (long long *)malloc(sizeof(long long) * (size_t)(n + 1));
#pragma acc parallel loop copyout(a[0:n])
    for (long long i = base; i < base + n; ++i) a[i - base] = i * 3;
    printf("%08x\n", hash_of(a, sizeof(long long) * (size_t)n));
#pragma acc parallel loop copy(a[0:n])
    for (long long i = base * n - base; i >= 0; i -= base) a[i / base] -= i;
    printf("%08x\n", hash_of(a, sizeof(long long) * (size_t)n));
#pragma acc kernels copy(a[0:n])
    for (unsigned long i = 0; i < (unsigned long)n; i++) a[i] ^= (long long)(i << 33);
    printf("%08x\n", hash_of(a, sizeof(long long) * (size_t)n));
    free(a);
  }
  return 0;
}
