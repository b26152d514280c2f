// Members in clauses, in member functions and templates: beside each other, and beside what `this` brings by
// itself.
#include "acctest.h"
struct Base {
  int low[40];
};
template <typename T> struct Box : Base {
  int n = 40;
  T arr[40], b[40];
  void add() {
#pragma acc parallel loop copy(arr) copyin(b)
    for (int i = 0; i < 40; ++i) arr[i] += b[i];
  }
  void twice() {
#pragma acc parallel loop copy(arr)
    for (int i = 0; i < n; ++i) arr[i] *= 2;
  }
  void both() {
#pragma acc parallel loop copyin(n, b) copy(arr, low)
    for (int i = 0; i < n; ++i) arr[i] += b[i] + low[i]++;
  }
};
template <typename T> static void work() {
  Box<T> c;
  for (int i = 0; i < 40; ++i) c.arr[i] = T(i), c.b[i] = T(2 * i), c.low[i] = 5 - i;
  c.add();
  c.twice();
  c.both();
  Box<T>& r = c;
#pragma acc parallel loop copy(r.arr) copyin(r.b)
  for (int i = 0; i < r.n; ++i) r.arr[i] -= r.b[i];
  double sum = 0;
  for (int i = 0; i < 40; ++i) sum += double(c.arr[i]) * (i + 1) + c.low[i];
  printf("%g\n", sum);
}
int main() {
  work<int>();
  work<double>();
}
