// update of a part leaves the rest alone, on both sides.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *was = new_ints(n, 1), *seen = new_ints(n, 2);
    const int from = n / 3, count = n / 3;
#pragma acc enter data copyin(a[0:n])
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; ++i) a[i] += 1000;
#pragma acc update self(a[from:count])
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      const int isPart = i >= from && i < from + count;
      wrong += isPart ? a[i] != was[i] + 1000 : !IN_ACC(a[i] == was[i]);
    }
    for (int i = 0; i < n; ++i) a[i] = -i;
#pragma acc update device(a[from:count])
#pragma acc parallel loop present(a[0:n]) copyout(seen[0:n])
    for (int i = 0; i < n; ++i) seen[i] = a[i];
    for (int i = 0; i < n; ++i) {
      const int isPart = i >= from && i < from + count;
      wrong += isPart ? seen[i] != -i : !IN_ACC(seen[i] == was[i] + 1000);
    }
#pragma acc exit data delete (a[0:n])
    printf("%d: %d wrong\n", n, wrong);
    free(a);
    free(was);
    free(seen);
  }
  return 0;
}
