// atomic read and write; capture that exchanges.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    int flag = -1, xors = 0, last = 12345;
#pragma acc parallel loop copy(a[0:n], b[0:n], flag, xors, last)
    for (int i = 0; i < n; ++i) {
      int v;
#pragma acc atomic read
      v = a[i];
#pragma acc atomic write
      b[i] = v * 2;
#pragma acc atomic write
      flag = 9;
      int old, next = i * 3 + 1;
#pragma acc atomic capture
      { old = last; last = next; }
#pragma acc atomic
      xors ^= old;
    }
    printf("%d %d\n", n ? flag : 9, n ? xors ^ last : 0);
    int check = 12345;
    for (int i = 0; i < n; ++i) check ^= i * 3 + 1;
    printf("%d\n", n == 0 || check == (xors ^ last));
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
