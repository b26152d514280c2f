// SAYS: instantiations of its template have different bounds
// A template whose collapse hangs on its argument: the instantiations have no common text, so they run on the
// host.
#include "acctest.h"
template <int S> void add(int* a) {
#pragma acc parallel loop collapse(S) copy(a[0 : 8])
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) a[i * 4 + j * 2 + k] += S;
}
int main() {
  int a[8] = {0};
  add<1>(a);
  add<3>(a);
  add<2>(a);
  show("a", a, 8);
}
