// declare link: a big array of which a data clause brings a part.
#include "acctest.h"
static int big[400];
#pragma acc declare link(big)
#pragma acc routine seq
static int get(int i) { return big[i]; }
int main(void) {
  int a[40];
  for (int i = 0; i < 400; ++i) big[i] = i;
#pragma acc data copyin(big)
  {
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 40; ++i) a[i] = get(i * 10) + big[1];
  }
  show("a", a, 40);
  return 0;
}
