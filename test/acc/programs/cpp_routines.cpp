// routine on member functions, templates and functions of namespaces.
#include "acctest.h"
struct Poly {
  int c[3];
#pragma acc routine seq
  int at(int x) const { return c[0] + x * (c[1] + x * c[2]); }
};
namespace math {
#pragma acc routine seq
template <typename T>
T twice(T x) {
  return x + x;
}
#pragma acc routine vector
static void scale(int* a, int n, int k) {
#pragma acc loop vector
  for (int i = 0; i < n; ++i) a[i] *= k;
}
}  // namespace math
int main() {
  const Poly p{{1, 2, 3}};
  FOR_SIZES(n) {
    int* a = new_ints(2 * n, 1);
#pragma acc parallel loop copy(a[0 : 2 * n])
    for (int i = 0; i < 2 * n; ++i) a[i] = p.at(a[i]) + math::twice(i);
#pragma acc parallel loop gang copy(a[0 : 2 * n])
    for (int r = 0; r < 2; ++r) math::scale(a + r * n, n, r + 2);
    show("a", a, 2 * n);
    free(a);
  }
}
