// Hints for loops beside OpenACC's directives, as other compilers take them: they are left out.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), *b = new_ints(n, 2);
#pragma acc parallel loop copyout(a[0:n])
#pragma unroll 4
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma unroll(2)
#pragma acc parallel loop copy(a[0:n]) \
    copyin(b[0:n])
    // one more
#pragma GCC ivdep
    for (int i = 0; i < n; ++i) a[i] += b[i];
#pragma acc parallel copy(b[0:n])
#pragma acc loop gang
#pragma clang loop unroll(disable) \
    vectorize(enable)
    for (int i = 0; i < n; ++i) {
      int sum = 0;
#pragma acc loop vector reduction(+ : sum)

#pragma nounroll
      for (int j = 0; j < 5; ++j) sum += i * j;
#pragma unroll
      for (int j = 0; j < 3; ++j) sum ^= j;
      b[i] += sum;
    }
    show("a", a, n);
    show("b", b, n);
    free(a);
    free(b);
  }
  return 0;
}
