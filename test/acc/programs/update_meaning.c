// Without an update the device keeps its own values: here the two memories may differ.
#include "acctest.h"
int main(void) {
  int a[4] = {1, 2, 3, 4};
  int seen[4] = {0, 0, 0, 0};
#pragma acc data copyin(a) copyout(seen)
  {
    for (int i = 0; i < 4; ++i) a[i] = 50;
#pragma acc parallel loop
    for (int i = 0; i < 4; ++i) seen[i] = a[i];
  }
#ifdef _OPENACC
  printf("%d\n", seen[0] == 1 && seen[3] == 4);
#else
  printf("%d\n", seen[0] == 50);
#endif
#pragma acc data copyin(a)
  {
#pragma acc parallel loop
    for (int i = 0; i < 4; ++i) a[i] += 1;
  }
#ifdef _OPENACC
  printf("%d\n", a[0] == 50);
#else
  printf("%d\n", a[0] == 51);
#endif
  return 0;
}
