// Function templates with regions: types, values, functions as arguments; several instances of one region.
#include "acctest.h"
struct Plus {
  int operator()(int a, int b) const { return a + b; }
};
struct Scaled {
  int k;
  int operator()(int a, int b) const { return k * a - b; }
};
template <typename F, int Add>
static void zip(int n, int* a, const int* b, F f) {
#pragma acc parallel loop copy(a[0 : n]) copyin(b[0 : n])
  for (int i = 0; i < n; ++i) a[i] = f(a[i], b[i]) + Add;
}
template <typename T>
static T most(int n, const T* a, T start) {
  T m = start;
#pragma acc parallel loop copyin(a[0 : n]) reduction(max : m)
  for (int i = 0; i < n; ++i) m = a[i] > m ? a[i] : m;
  return m;
}
int main() {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
    double* d = new_doubles(n, 3);
    zip<Plus, 0>(n, a, b, Plus{});
    zip<Scaled, 7>(n, a, b, Scaled{3});
    zip<Plus, 1>(n, a, b, {});
    show("a", a, n);
    printf("%d %g\n", most(n, a, -100000), most(n, d, -1.0));
    free(a);
    free(b);
    free(d);
  }
}
