// Row A4: classes in device code: constructors, operators, inheritance, static members, const members.
#include "acctest.h"
class Base {
 protected:
  int x;

 public:
  static constexpr int step = 3;
  explicit Base(int x) : x(x) {}
  int get() const { return x; }
};
class Derived : public Base {
  int y = 5;

 public:
  Derived(int x, int y) : Base(x), y(y) {}
  explicit Derived(int x) : Base(x + 1) {}
  Derived operator+(const Derived& o) const { return Derived(x + o.x, y * o.y); }
  Derived& operator+=(int k) {
    x += k;
    return *this;
  }
  int value() const { return get() * step + y; }
  static int three() { return 3; }
};
enum class Mode : unsigned char { Add, Sub = 4 };
namespace outer::inner {
inline int pick(Mode m, int a) { return m == Mode::Add ? a : -a; }
}  // namespace outer::inner
int main() {
  FOR_SIZES(n) {
    int* a = new_ints(n, 1);
#pragma acc parallel loop copy(a[0 : n])
    for (int i = 0; i < n; ++i) {
      Derived p(a[i], 2), q(i);
      Derived r = p + q;
      r += Derived::three();
      a[i] = outer::inner::pick(i % 2 ? Mode::Add : Mode::Sub, r.value());
    }
    show("a", a, n);
    free(a);
  }
}
