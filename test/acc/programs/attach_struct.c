// A struct with pointers: the members' data, attached where the struct is.
#include "acctest.h"
typedef struct { int n; int *a; double *w; } Vec;
int main(void) {
  FOR_SIZES(n) {
    Vec v = {n, new_ints(n, 1), new_doubles(n, 2)};
#pragma acc data copyin(v) copy(v.a[0:n]) copyin(v.w[0:n])
    {
#pragma acc parallel loop present(v)
      for (int i = 0; i < v.n; ++i) v.a[i] += (int)(v.w[i] * 4);
#pragma acc parallel loop present(v, v.a[0:n])
      for (int i = 0; i < v.n; ++i) v.a[i] *= 2;
    }
    show("a", v.a, n);
    free(v.a); free(v.w);
  }
  return 0;
}
