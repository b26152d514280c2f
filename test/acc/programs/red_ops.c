// Row A11: all operators on int, at sizes that fit no block.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2), *f = new_ints(n, 9);
    for (int i = 0; i < n; ++i) f[i] = i % 50 == 7 ? 3 : (i % 40 == 5 ? -1 : 1);
    int sum = 10, most = -50, least = 50, conj = -1, disj = 0, exor = 77, all = 1, any = 0;
    unsigned prod = 2;
#pragma acc parallel loop copyin(a[0:n], f[0:n]) reduction(+ : sum) reduction(* : prod) reduction(max : most) \
    reduction(min : least) reduction(& : conj) reduction(| : disj) reduction(^ : exor) reduction(&& : all) reduction(|| : any)
    for (int i = 0; i < n; ++i) {
      sum += a[i];
      prod *= (unsigned)f[i];
      most = a[i] > most ? a[i] : most;
      if (a[i] < least) least = a[i];
      conj &= a[i] | 256;
      disj |= a[i] & 48;
      exor ^= a[i];
      all = all && (a[i] > -100);
      any = any || (a[i] == 99);
    }
    printf("%d %u %d %d %d %d %d %d %d\n", sum, prod, most, least, conj, disj, exor, all, any);
    free(a); free(f);
  }
  return 0;
}
