// Objects by value in regions: copied, changed, nested in arrays.
#include "acctest.h"
struct V3 {
  double x, y, z;
  V3 operator*(double k) const { return {x * k, y * k, z * k}; }
  V3& operator+=(const V3& o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
  double dot(const V3& o) const { return x * o.x + y * o.y + z * o.z; }
};
int main() {
  FOR_SIZES(n) {
    V3* p = new V3[static_cast<size_t>(n) + 1];
    for (int i = 0; i < n; ++i) p[i] = {i * 0.5, 1.0, -0.25 * i};
    V3 wind{1, 2, 3};
    double energy = 0;
#pragma acc parallel loop copy(p[0 : n]) reduction(+ : energy)
    for (int i = 0; i < n; ++i) {
      p[i] += wind * 0.5;
      energy += p[i].dot(p[i]);
    }
    double s = 0;
    for (int i = 0; i < n; ++i) s += p[i].x - p[i].y + p[i].z;
    printf("%.10g %.10g\n", energy, s);
    delete[] p;
  }
}
