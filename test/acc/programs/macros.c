// Constructs that come out of macros, through _Pragma, and clauses whose arguments do.
#include "acctest.h"
#define GANGS 5
#define DO(text) _Pragma(#text)
#define OVER(v, n) _Pragma("acc parallel loop copy(a[0:n]) num_gangs(GANGS)") for (int v = 0; v < (n); ++v)
#define PART(x, n) x[0:n]
#define DOUBLE_ALL(x, n)                     \
  do {                                       \
    DO(acc kernels copy(x[0:n])) {          \
      for (int j = 0; j < (n); ++j) x[j] *= 2; \
    }                                        \
  } while (0)
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    OVER(i, n) a[i] += i;
    DOUBLE_ALL(a, n);
#pragma acc parallel loop copy(PART(a, n)) num_gangs(GANGS + 1)
    for (int i = 0; i < n; ++i) a[i] -= GANGS;
    show("a", a, n);
    free(a);
  }
  return 0;
}
