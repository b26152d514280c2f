// Variables of namespaces and classes that have their names in common with others: in clauses, in bodies, in
// routines.
#include "acctest.h"
int cnt = 100, lim = 3;
namespace first {
int arr[16];
#pragma acc declare create(arr)
#pragma acc routine seq
int get(int i) { return arr[i]; }
int cnt = 0, lim = 2000, own = 5;
struct Holder {
  static int arr[16];
#pragma acc declare create(arr)
  static int tot;
  static int sum();
};
int Holder::arr[16], Holder::tot = 7;
}  // namespace first
namespace second {
int arr[16];
#pragma acc declare copyin(arr)
inline int get(int i) { return arr[i]; }
}  // namespace second
#pragma acc routine seq
int outside(int i) { return first::arr[i] - second::arr[i] + first::Holder::arr[i]; }
int tot = 1000;
int first::Holder::sum() {
#pragma acc parallel loop reduction(+ : tot)
  for (int i = 0; i < 8; ++i) tot += i;
  return tot;
}
template <class T> struct Typed {
  static T tot, values[4];
  static void run() {
#pragma acc parallel loop reduction(+ : tot)
    for (int i = 0; i < 8; ++i) tot += i;
#pragma acc parallel loop
    for (int i = 0; i < 4; ++i) values[i] += i;
  }
};
template <class T> T Typed<T>::tot = 5;
template <class T> T Typed<T>::values[4];
static void routines() {
  int o[16];
  for (int i = 0; i < 16; ++i) first::arr[i] = i, second::arr[i] = 100 * i, first::Holder::arr[i] = 7;
#pragma acc update device(first::arr, second::arr, first::Holder::arr)
#pragma acc parallel loop copyout(o)
  for (int i = 0; i < 16; ++i) o[i] = first::get(i) + second::get(i) + outside(i);
  printf("%d %d\n", o[1], o[15]);
}
static void clauses() {
  const int tot = 3;
  int o[4];
#pragma acc parallel loop reduction(+ : first::cnt)
  for (int i = 0; i < 8; ++i) first::cnt += i;
#pragma acc parallel loop reduction(+ : ::tot) copyin(tot)
  for (int i = 0; i < 8; ++i) ::tot += i * tot;
#pragma acc parallel loop private(first::own) copyout(o)
  for (int i = 0; i < 4; ++i) {
    first::own = i;
    o[i] = first::own;
  }
  first::own = 5;
  printf("%d %d %d %d %d\n", cnt, first::cnt, ::tot, first::Holder::sum(), o[3]);
}
// Names that the body alone brings in.
static void bodies() {
  static int a[2000];
  int cnt = 9, lim = 5;
#pragma acc parallel copy(a)
  {
    using first::cnt;
    using first::lim;
    enum { tot = 3 };
#pragma acc loop
    for (int i = 0; i < lim; ++i) a[i] += cnt * tot;
  }
  show("a", a, 2000);
  printf("%d %d\n", cnt, lim);
}
static void declaredHere() {
  extern int below;
#pragma acc parallel loop reduction(+ : below)
  for (int i = 0; i < 8; ++i) below += i;
  printf("%d\n", below);
}
int below = 1;
int main() {
  declaredHere();
  routines();
  clauses();
  bodies();
  Typed<int>::run();
  Typed<double>::run();
  printf("%d %g %d %g\n", Typed<int>::tot, Typed<double>::tot, Typed<int>::values[3],
         Typed<double>::values[2]);
}
