// Unsigned counters: size_t, unsigned char, downwards, near their ends.
#include "acctest.h"
int main(void) {
  FOR_SIZES(m) {
    size_t n = (size_t)m;
    int *a = new_ints(m, 2);
#pragma acc parallel loop copy(a[0:n])
    for (size_t i = 0; i < n; ++i) a[i] += (int)i;
#pragma acc parallel loop copy(a[0:n])
    for (unsigned i = (unsigned)n; i > 0; --i) a[i - 1] *= 2;
#pragma acc parallel loop copy(a[0:n])
    for (unsigned i = 4294967295u - (unsigned)n; i < 4294967295u; ++i) a[4294967294u - i] += 3;
    show("a", a, m);
    free(a);
  }
  int few[200];
#pragma acc parallel loop copyout(few)
  for (unsigned char i = 0; i < 200; ++i) few[i] = i * 2;
  show("few", few, 200);
#pragma acc parallel loop copy(few)
  for (unsigned short i = 10; i < 200; i += 7) few[i] += i;
  show("few", few, 200);
  return 0;
}
