// A region within a lambda that captures by reference.
#include "acctest.h"
int main() {
  FOR_SIZES(n) {
    int* a = new_ints(n, 1);
    int k = 3;
    auto work = [&](int add) {
      int sum = 0;
#pragma acc parallel loop copy(a[0 : n]) reduction(+ : sum)
      for (int i = 0; i < n; ++i) {
        a[i] += add * k;
        sum += a[i];
      }
      return sum;
    };
    printf("%d\n", work(1));
    printf("%d\n", work(2));
    show("a", a, n);
    free(a);
  }
}
