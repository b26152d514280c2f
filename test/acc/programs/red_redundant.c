// A reduction of the construct that every gang of one gang contributes to outside of loops.
#include "acctest.h"
int main(void) {
  int s = 5, p = 3;
#pragma acc parallel num_gangs(1) reduction(+ : s) reduction(* : p)
  {
    s += 7;
    p *= 2;
  }
  printf("%d %d\n", s, p);
#ifdef _OPENACC
  int expected = 4;
#else
  int expected = 1;
#endif
  int gangs = 0;
#pragma acc parallel num_gangs(4) reduction(+ : gangs)
  {
    gangs += 1;
  }
  printf("%d\n", gangs == expected || gangs == 1);
  return 0;
}
