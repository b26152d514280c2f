// A container with operator[] and its own data on the device; a template of it.
#include "acctest.h"
template <typename T>
class Container {
 public:
  T* data;
  int length;
  explicit Container(int n)
      : data(static_cast<T*>(calloc(static_cast<size_t>(n) + 1, sizeof(T)))), length(n) {}
  ~Container() { free(data); }
  T& operator[](int i) { return data[i]; }
  const T& operator[](int i) const { return data[i]; }
  void fill(T first) {
#pragma acc parallel loop copyout(data[0 : length])
    for (int i = 0; i < length; ++i) data[i] = first + static_cast<T>(i);
  }
};
template <typename T>
static double total(Container<T>& c) {
  double s = 0;
  T* d = c.data;
  int n = c.length;
#pragma acc parallel loop copyin(d[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; ++i) s += d[i];
  return s;
}
int main() {
  FOR_SIZES(n) {
    Container<int> a(n);
    Container<double> b(n);
    Container<short> c(n);
    a.fill(3);
    b.fill(0.5);
    c.fill(7);
    printf("%g %g %g\n", total(a), total(b), total(c));
    if (n) printf("%d %g %d\n", a[n - 1], b[n / 2], c[0]);
  }
}
