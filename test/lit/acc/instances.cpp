// Regions in templates, member functions and lambdas, by instantiation.
// RUN: %hone acc -O0 -std=c++17 -Wall -Wextra -Werror %s -o %t && %t | FileCheck %s
#include <cstdio>

template <typename T> T total(const T *x, int n) {
  T sum = 0;
#pragma acc parallel loop copyin(x[0:n]) reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += x[i];
  return sum;
}

struct Scale {
  double factor;
  void apply(double *x, int n) const {
    const double f = factor;
#pragma acc parallel loop copy(x[0:n])
    for (int i = 0; i < n; ++i) x[i] *= f;
  }
};

int main() {
  double x[100];
  int y[100];
  for (int i = 0; i < 100; ++i) x[i] = y[i] = i;
  Scale{0.5}.apply(x, 100);
  std::printf("%g %d\n", total(x, 100), total(y, 100));
  auto twice = [&](int n) {
#pragma acc parallel loop copy(y[0:n])
    for (int i = 0; i < n; ++i) y[i] *= 2;
  };
  twice(100);
  std::printf("%d\n", total(y, 100));
}
// CHECK: 2475 4950
// CHECK: 9900
