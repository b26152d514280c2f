// declare link: a big array of which a data clause brings a part.
#include "acctest.h"
static int big[400];
#pragma acc declare link(big)
#pragma acc routine seq
static int get(int i) { return big[i]; }
static int of_regions[40];
#pragma acc declare link(of_regions)
int main(void) {
  int a[40];
  for (int i = 0; i < 400; ++i) big[i] = i;
#pragma acc data copyin(big)
  {
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 40; ++i) a[i] = get(i * 10) + big[1];
  }
  show("a", a, 40);
  for (int i = 0; i < 40; ++i) of_regions[i] = 2 * i;
#pragma acc data copy(of_regions)
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 40; ++i) a[i] = of_regions[i]++;
  show("a", a, 40);
  show("of_regions", of_regions, 40);
  return 0;
}
