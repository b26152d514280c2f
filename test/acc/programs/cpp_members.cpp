// Regions in member functions: members through this, data of the object.
#include "acctest.h"
class Field {
  int n;
  int* v;
  int scale;

 public:
  Field(int n, int seed) : n(n), v(new_ints(n, seed)), scale(2) {
#pragma acc enter data copyin(this[0 : 1], v[0 : n])
  }
  ~Field() {
#pragma acc exit data delete (v[0 : n], this[0 : 1])
    free(v);
  }
  void grow(int by) {
#pragma acc parallel loop present(this, v[0 : n])
    for (int i = 0; i < n; ++i) v[i] = v[i] * scale + by;
  }
  int sum() const {
    int s = 0;
#pragma acc parallel loop present(this, v[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; ++i) s += v[i];
    return s;
  }
  void print() {
#pragma acc update self(v[0 : n])
    show("v", v, n);
  }
};
int main() {
  FOR_SIZES(n) {
    Field f(n, 3);
    f.grow(5);
    f.grow(-1);
    printf("%d\n", f.sum());
    f.print();
  }
}
