// bool as data and as reduction variable; auto, constexpr, initializer lists, if constexpr.
#include "acctest.h"
constexpr int lim(int k) { return k * 3; }
template <bool Neg>
static int sign(int x) {
  if constexpr (Neg)
    return -x;
  else
    return x;
}
int main() {
  FOR_SIZES(n) {
    int* a = new_ints(n, 1);
    bool* flags = new bool[static_cast<size_t>(n) + 1];
    bool all = true, any = false;
#pragma acc parallel loop copyin(a[0 : n]) copyout(flags[0 : n]) reduction(&& : all) reduction(|| : any)
    for (int i = 0; i < n; ++i) {
      const auto x = sign<true>(a[i]);
      constexpr int k[]{lim(1), lim(2), 30};
      flags[i] = x > k[i % 3];
      all = all && x > -101;
      any = any || x == 77;
    }
    int count = 0;
    for (int i = 0; i < n; ++i) count += flags[i];
    printf("%d %d %d\n", count, all, any);
    delete[] flags;
    free(a);
  }
}
