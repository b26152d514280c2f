// atomic update: all forms and operators, with and without the word update.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    int add = 1, sub = 2, inc = 3, dec = 4, conj = -1, disj = 0, exor = 5, pre = 6, rev = 7;
    unsigned mul = 1;
#pragma acc parallel loop copyin(a[0:n]) copy(add, sub, inc, dec, conj, disj, exor, mul, pre, rev)
    for (int i = 0; i < n; ++i) {
#pragma acc atomic update
      add += a[i];
#pragma acc atomic
      sub -= a[i];
#pragma acc atomic
      inc++;
#pragma acc atomic update
      --dec;
#pragma acc atomic
      conj &= a[i] | 1024;
#pragma acc atomic
      disj |= a[i] & 7;
#pragma acc atomic
      exor = exor ^ a[i];
#pragma acc atomic
      mul *= (unsigned)(i % 3 + 1);
#pragma acc atomic
      ++pre;
#pragma acc atomic update
      rev = a[i] + rev;
    }
    printf("%d %d %d %d %d %d %d %u %d %d\n", add, sub, inc, dec, conj, disj, exor, mul, pre, rev);
    free(a);
  }
  return 0;
}
