// Lambdas in device code: without captures, with captures by value, passed to a function with a region.
#include "acctest.h"
template <typename F>
static void apply(int n, int* a, F f) {
#pragma acc parallel loop copy(a[0 : n])
  for (int i = 0; i < n; ++i) a[i] = f(a[i], i);
}
int main() {
  FOR_SIZES(n) {
    int* a = new_ints(n, 1);
    int k = 4;
    apply(n, a, [](int x, int i) { return x + i; });
    apply(n, a, [k](int x, int) { return x * k; });
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; ++i) {
      auto clip = [](int x) { return x < 0 ? 0 : x; };
      a[i] = clip(a[i]) - i;
    }
    show("a", a, n);
    free(a);
  }
}
