// async on data, enter data, exit data; what copies back is there after the wait.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc data copy(a[0:n]) async(4)
    {
#pragma acc parallel loop async(4)
      for (int i = 0; i < n; ++i) a[i] *= 5;
    }
#pragma acc wait(4)
    show("a", a, n);
#pragma acc enter data copyin(b[0:n]) async(2)
#pragma acc parallel loop present(b) async(2)
    for (int i = 0; i < n; ++i) b[i] -= i;
#pragma acc exit data copyout(b[0:n]) async(2)
#pragma acc wait(2)
    show("b", b, n);
#pragma acc enter data copyin(a[0:n]) async(1)
#pragma acc data present(a[0:n]) wait(1)
    {
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) a[i] += 1;
    }
#pragma acc exit data copyout(a[0:n]) wait
    show("a", a, n);
    free(a); free(b);
  }
  return 0;
}
