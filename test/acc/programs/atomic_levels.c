// Atomics from workers and lanes of nested loops, and from gang-single code.
#include "acctest.h"
int main(void) {
  enum { R = 11, C = 70 };
  int total = 0, rows = 0, per[R] = {0};
#pragma acc parallel num_workers(2) vector_length(32) copy(total, rows, per)
  {
#pragma acc loop gang worker
    for (int r = 0; r < R; ++r) {
#pragma acc atomic
      rows += r;
#pragma acc loop vector
      for (int c = 0; c < C; ++c) {
#pragma acc atomic
        per[r] += c;
#pragma acc atomic
        total += r * c;
      }
    }
  }
  printf("%d %d\n", total, rows);
  show("per", per, R);
  return 0;
}
