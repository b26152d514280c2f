// Instantiations that __PRETTY_FUNCTION__ does not tell apart: the host runs them.
// FLAGS: -std=c++20
// SAYS: apply<Op> runs on the host: several instantiations of its template have the same name
#include "acctest.h"
template <class F> static void apply(int* a, F f) {
#pragma acc parallel loop copy(a[0 : 4])
  for (int i = 0; i < 4; ++i) a[i] = f(a[i]);
}
template <class T> static void size(int* a) {
#pragma acc parallel loop copy(a[0 : 4])
  for (int i = 0; i < 4; ++i) a[i] += sizeof(T);
}
static void one(int* a) {
  struct Op {
    char z[3];
    int operator()(int x) const { return x + 1; }
  };
  apply(a, Op());
  size<Op>(a);
}
static void two(int* a) {
  struct Op {
    char z[5];
    int operator()(int x) const { return x * 100; }
  };
  apply(a, Op());
  size<Op>(a);
}
template <int K> static void times(int* b) {
  const auto f = [](int* p) {
#pragma acc parallel loop copy(p[0 : 4])
    for (int i = 0; i < 4; ++i) p[i] = p[i] * K;
  };
  f(b);
}
template <class T> static auto halver() {
  return [](T* p, int n) {
#pragma acc parallel loop copy(p[0 : n])
    for (int i = 0; i < n; ++i) p[i] = p[i] / T(2);
  };
}
template <int K> static void add(int* a) {
  struct Local {
    static void run(int* b) {
#pragma acc parallel loop copy(b[0 : 4])
      for (int i = 0; i < 4; ++i) b[i] += K;
    }
  };
  Local::run(a);
}
template <int K> struct Befriended {
  friend void join(Befriended, int* b) {
#pragma acc parallel loop copy(b[0 : 4])
    for (int i = 0; i < 4; ++i) b[i] += K;
  }
};
template <double V> static void fill(double* a) {
#pragma acc parallel loop copy(a[0 : 4])
  for (int i = 0; i < 4; ++i) a[i] += V;
}
template <int K>
static const auto initialized = [](int* p) {
#pragma acc parallel loop copy(p[0 : 4])
  for (int i = 0; i < 4; ++i) p[i] += K;
};
int main() {
  int a[4] = {1, 2, 3, 4};
  float b[4] = {10, 20, 30, 41};
  double d[4] = {};
  one(a);
  two(a);
  times<2>(a);
  times<5>(a);
  printf("%d\n", a[3]);
  halver<int>()(a, 4);
  halver<float>()(b, 4);
  printf("%d %g\n", a[3], b[3]);
  add<1>(a);
  add<100>(a);
  join(Befriended<7>(), a);
  join(Befriended<1000>(), a);
  // A region on the host finds what is on the device.
#pragma acc data copy(a)
  {
    initialized<3>(a);
    initialized<50000>(a);
  }
  printf("%d\n", a[3]);
  fill<2.0>(d);
  fill<2.00000001>(d);
  printf("%.12g\n", d[1]);
}
