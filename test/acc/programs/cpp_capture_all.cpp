// Lambdas in regions that capture by [&] and [=] what is declared around the region.
#include "acctest.h"
int main() {
  int z[10] = {0}, x = 4, *p = z;
#pragma acc parallel loop copy(z)
  for (int i = 0; i < 10; ++i) {
    auto at = [&](int k) -> int& { return z[k]; };
    at(i) = i;
  }
  show("z", z, 10);
#pragma acc parallel loop copy(p[0 : 10])
  for (int i = 0; i < 10; ++i) {
    auto f = [=] {
      p[i] += 2;
      return x * i;
    };
    p[i] += f();
  }
  show("z", z, 10);
}
