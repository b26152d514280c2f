// Three dimensions, flat, with a function for places; pointers that change places on the host.
#include "acctest.h"
static void step(int n, const int *restrict a, int *restrict b) {
#pragma acc parallel loop gang collapse(2) present(a[0:n*n*n], b[0:n*n*n])
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j) {
#pragma acc loop vector
      for (int k = 1; k < n - 1; ++k) {
        int at = (i * n + j) * n + k;
        b[at] = (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n]) / 6 + 1;
      }
    }
}
int main(void) {
  for (int n = 1; n < 16; n += 5) {
    int size = n * n * n;
    int *a = new_ints(size, 1), *b = new_ints(size, 1);
    int *from = a, *to = b;
#pragma acc enter data copyin(a[0:size], b[0:size])
    for (int t = 0; t < 4; ++t) {
      step(n, from, to);
      int *x = from;
      from = to;
      to = x;
    }
#pragma acc exit data copyout(a[0:size], b[0:size])
    show("a", a, size);
    show("b", b, size);
    free(a); free(b);
  }
  return 0;
}
