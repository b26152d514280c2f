// Templates whose instantiations have one text: fold expressions, if constexpr, pointers, bounds and types of
// parameters.
#include "acctest.h"
template <int... I> static void folds(int* a) {
#pragma acc parallel loop copy(a[0 : 4])
  for (int i = 0; i < 4; ++i) a[i] += (I + ... + 0);
#pragma acc serial copy(a[0 : 4])
  ((a[I % 4] += I), ...);
}
template <int... I> static void sums(int* a) {
#pragma acc serial copy(a[0 : 4])
  a[0] += (I + ... + 7);
}
template <bool B> static void chooses(int* a) {
#pragma acc serial copy(a[0 : 4])
  if constexpr (B) {
    a[0] += 3;
  } else {
    a[1] += 4;
  }
}
template <int K> static void steps(int* a, int n) {
#pragma acc parallel loop copy(a[0 : n])
  for (int i = 0; i < n; i += K) a[i] += K;
#pragma acc parallel loop copy(a[0 : n])
  for (int i = n - 1; i >= 0; i -= K) a[i] += K;
}
template <class T> static void counts(int* a, T n) {
#pragma acc parallel loop copy(a[0 : n])
  for (T i = 0; i < n; ++i) a[i] += sizeof(T);
}
template <int K> static void extents(int a[K]) {
#pragma acc data copy(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < K; ++i) a[i] += K;
  }
}
template <int* P> static void pointers() {
#pragma acc parallel loop copy(P[0 : 4])
  for (int i = 0; i < 4; ++i) P[i] += i;
#pragma acc data copy(P[0 : 4])
  {
#pragma acc parallel loop
    for (int i = 0; i < 4; ++i) P[i] *= 2;
  }
}
static int g[4] = {1, 2, 3, 4}, h[4] = {5, 6, 7, 8};
template <int* P> static void later() {
#pragma acc parallel loop copy(h)
  for (int i = 0; i < 4; ++i) P[i] -= 1;
}
struct Pair {
  int a, b;
};
template <class T> static T twice(T x) {
#pragma acc data copy(x)
  {
#pragma acc serial
    x = x + x;
  }
  return x;
}
static Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
int main() {
  int a[4] = {1, 2, 3, 4};
  folds<1, 2>(a);
  folds<5>(a);
  sums<>(a);
  sums<1, 2, 3>(a);
  chooses<true>(a);
  chooses<false>(a);
  show("a", a, 4);
  FOR_SIZES(n) {
    int* x = new_ints(n, 1);
    steps<8>(x, n);
    steps<1>(x, n);
    counts<signed char>(x, n < 100 ? n : 100);
    counts<long>(x, n);
    counts<unsigned short>(x, n < 60000 ? n : 60000);
    show("x", x, n);
    free(x);
  }
  static int e[2000];
  extents<8>(e);
  extents<2000>(e);
  show("e", e, 2000);
  pointers<g>();
  pointers<h>();
  later<h>();
  printf("%d %d %d\n", g[3], h[3], twice(4) + twice(Pair{1, 2}).b);
}
