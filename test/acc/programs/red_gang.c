// A reduction over gangs alone, over workers alone, over lanes alone.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    int g = 1, w = 2, v = 3, gv = 4, gw = 5, wv = 6;
#pragma acc parallel loop gang num_gangs(6) vector_length(1) copyin(a[0:n]) reduction(+ : g)
    for (int i = 0; i < n; ++i) g += a[i];
#pragma acc parallel num_gangs(1) num_workers(5) vector_length(32) copyin(a[0:n]) copy(w, v, wv)
    {
#pragma acc loop worker reduction(+ : w)
      for (int i = 0; i < n; ++i) w += a[i];
#pragma acc loop vector reduction(+ : v)
      for (int i = 0; i < n; ++i) v += a[i];
#pragma acc loop worker vector reduction(+ : wv)
      for (int i = 0; i < n; ++i) wv += a[i];
    }
#pragma acc parallel loop gang vector copyin(a[0:n]) reduction(max : gv)
    for (int i = 0; i < n; ++i) gv = a[i] > gv ? a[i] : gv;
#pragma acc parallel loop gang worker num_workers(3) copyin(a[0:n]) reduction(^ : gw)
    for (int i = 0; i < n; ++i) gw ^= a[i];
    printf("%d %d %d %d %d %d\n", g, w, v, gv, gw, wv);
    free(a);
  }
  return 0;
}
