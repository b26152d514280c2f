// Reductions of elements and sections that lie in what a clause brings.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int m[8] = {1, 2, 3, 4}, *h = new_ints(8, 2);
#pragma acc parallel loop reduction(+ : m[3]) copy(m)
    for (int i = 0; i < n; ++i) m[3] += i;
#pragma acc parallel loop reduction(+ : h[0 : 4]) copy(h[0 : 8])
    for (int i = 0; i < n; ++i) h[i & 3] += i;
    printf("%d %d\n", m[3], m[2]);
    show("h", h, 8);
    free(h);
  }
  return 0;
}
