// Scalars and structs in data clauses.
#include "acctest.h"
typedef struct { int x; double y; } Pair;
int main(void) {
  int in = 4, out = -1, both = 10, there = 3;
  Pair p = {1, 2.5};
#pragma acc parallel num_gangs(1) copyin(in) copyout(out) copy(both, p)
  {
    out = in * 2;
    both += in;
    p.x += both;
    p.y *= 2;
  }
  printf("%d %d %d %g\n", out, both, p.x, p.y);
#pragma acc data copy(there)
  {
#pragma acc serial present(there)
    there += 1;
#pragma acc serial
    {
      there *= 5;
    }
  }
  printf("%d\n", there);
  return 0;
}
