// Overloaded functions, default arguments, names in namespaces, functions of one name in several scopes.
#include "acctest.h"
namespace one {
static int f(int x) { return x + 1; }
static double f(double x) { return x * 0.5; }
struct Local {
  static int f(int x, int y = 10) { return x * y; }
};
}  // namespace one
namespace two {
static int f(int x) { return x - 1; }
}  // namespace two
#pragma acc routine seq
static int g(int x, int k = 2) { return x * k; }
static void work(int n, int* a) {
#pragma acc parallel loop copy(a[0 : n])
  for (int i = 0; i < n; ++i) {
    using two::f;
    a[i] = f(a[i]) + one::f(i) + static_cast<int>(one::f(2.0 * i)) + one::Local::f(i) + g(i) + g(i, 7);
  }
}
static void work(int n, double* d) {
#pragma acc parallel loop copy(d[0 : n])
  for (int i = 0; i < n; ++i) d[i] = one::f(d[i]);
}
int main() {
  FOR_SIZES(n) {
    int* a = new_ints(n, 1);
    double* d = new_doubles(n, 1);
    work(n, a);
    work(n, d);
    show("a", a, n);
    show_doubles("d", d, n);
    free(a);
    free(d);
  }
}
