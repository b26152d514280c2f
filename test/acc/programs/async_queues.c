// async with numbers, without, with expressions; wait for one, for several, for all.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2), *c = new_ints(n, 3);
    int q = 3;
#pragma acc enter data copyin(a[0:n], b[0:n]) create(c[0:n])
#pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < n; ++i) a[i] += 1;
#pragma acc parallel loop async(q - 1) present(b)
    for (int i = 0; i < n; ++i) b[i] *= 2;
#pragma acc parallel loop async(1) present(a)
    for (int i = 0; i < n; ++i) a[i] *= 3;
#pragma acc wait(1, 2)
#pragma acc parallel loop async present(a, b, c)
    for (int i = 0; i < n; ++i) c[i] = a[i] - b[i];
#pragma acc update self(c[0:n]) async
#pragma acc wait
    show("c", c, n);
#pragma acc kernels async(q) present(a)
    for (int i = 0; i < n; ++i) a[i] -= 4;
#pragma acc serial async(q) present(a)
    for (int i = 1; i < n; ++i) a[i] ^= a[i - 1] & 1;
#pragma acc update host(a[0:n]) async(q)
#pragma acc wait(q)
    show("a", a, n);
#pragma acc exit data copyout(b[0:n]) delete(a[0:n], c[0:n])
    show("b", b, n);
    free(a); free(b); free(c);
  }
  return 0;
}
