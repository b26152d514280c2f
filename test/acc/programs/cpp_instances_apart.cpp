// Instantiations that use different variables: the host runs them on what the device has of each.
// SAYS: pick<true> runs on the host: instantiations of its template use different variables
// SAYS: own<true> runs on the host: instantiations of its template change different variables
#include "acctest.h"
template <bool B> static void pick(int* a, int* b) {
#pragma acc data copy(a[0 : 4], b[0 : 4])
  {
#pragma acc parallel loop
    for (int i = 0; i < 4; ++i) {
      if constexpr (B)
        a[i] += 3;
      else
        b[i] += 4;
    }
  }
}
template <bool B> static int own(int* a, int k) {
  const int before = k;
#pragma acc parallel loop copy(a[0 : 4]) firstprivate(k)
  for (int i = 0; i < 4; ++i) {
    if constexpr (!B) k = i;
    a[i] += B ? k : i + k - k;
  }
  return before;
}
int main() {
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  pick<true>(a, b);
  pick<false>(a, b);
  printf("%d %d\n", own<true>(a, 4), own<false>(b, 5));
  show("a", a, 4);
  show("b", b, 4);
}
