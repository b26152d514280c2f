// Two parts of one array at once; a part within what is present.
#include "acctest.h"
int main(void) {
  int n = 200;
  int *a = new_ints(n, 1);
  int *low = a, *high = a + 120;
#pragma acc data copy(low[0:80]) copyin(high[0:80])
  {
#pragma acc parallel loop present(low[0:80], high[0:80])
    for (int i = 0; i < 80; ++i) low[i] += high[79 - i];
#pragma acc parallel loop copy(low[20:10])
    for (int i = 20; i < 30; ++i) low[i] *= 2;
  }
  show("a", a, n);
  free(a);
  return 0;
}
