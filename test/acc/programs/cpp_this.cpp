// `this` without a section is the object, also in templates and where a member of it is updated.
#include "acctest.h"
template <typename T>
class Column {
  T* values = nullptr;
  int n = 0;

 public:
  explicit Column(int size) {
#pragma acc enter data copyin(this)
    n = size;
#pragma acc update device(n)
    values = new T[n];
#pragma acc enter data create(values[0 : n])
  }
  ~Column() {
#pragma acc exit data delete (values[0 : n])
#pragma acc exit data delete (this)
    delete[] values;
  }
  int size() const { return n; }
#pragma acc routine seq
  T& operator[](int i) { return values[i]; }
  void scale(T by) {
#pragma acc parallel loop present(this)
    for (int i = 0; i < n; ++i) values[i] *= by;
  }
  void toHost() {
#pragma acc update self(values[0 : n])
  }
};
struct Counted {
  int hits = 0;
  void count(int n) {
#pragma acc parallel loop copy(this)
    for (int i = 0; i < n; ++i) {
#pragma acc atomic update
      hits += i % 3;
    }
  }
};
int main() {
  FOR_SIZES(n) {
    Column<int> a(n), b(n);
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < a.size(); ++i) {
      b[i] = i % 7;
      a[i] = b[i] + i;
    }
    a.scale(3);
    a.toHost();
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * (long long)(i % 5 + 1);
    Counted counted;
    counted.count(n);
    printf("%d %lld %d\n", n, sum, counted.hits);
  }
}
