// Text that is hard to edit: constructs under if without braces, continued lines, comments in pragmas, several on a line.
#include "acctest.h"
#  pragma acc   routine   seq
static int one(void) { return 1; }
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1); /* a comment */ int k = 2;
    if (n > 2)
#pragma acc parallel loop /* here */ copy( \
    a[0 : n]) // there
      for (int i = 0; i < n; ++i) a[i] += k;
    else
#pragma acc serial copy(a[0:1])
      a[0] = one();
    for (int t = 0; t < 2; ++t)
#pragma acc data copy(a[0:n])
#pragma acc parallel \
    loop present(a)
      for (int i = 0; i < n; ++i) { a[i] *= 2; if (i % 2) a[i] += one(); }
    do
#pragma acc kernels copy(a[0:n])
      for (int i = 0; i < n; ++i) a[i] -= 1;
    while (++k < 4);
    switch (n) {
      case 1:
#pragma acc parallel loop copy(a[0:n])
        for (int i = 0; i < n; ++i) a[i] = 7;
        break;
      default:
        ;
#pragma acc update self(a[0:n]) if_present
        ;
    }
    int b = 1; {
#pragma acc serial copy(b)
      { b += k; } }
    printf("%d %s\n", b, "#pragma acc parallel { \" }");
    show("a", a, n);
    free(a);
  }
  return 0;
}
