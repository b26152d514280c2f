// Reductions that only some iterations take part in, and loops that only some gangs run.
#include "acctest.h"
int main(void) {
  enum { R = 21, C = 50 };
  static int out[R];
  int total = 0;
#pragma acc parallel loop gang copyout(out) reduction(+ : total)
  for (int r = 0; r < R; ++r) {
    int s = -r;
    if (r % 4 != 1) {
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) {
        if ((c + r) % 3 == 0) continue;
        if (c > 2 * r) s += c;
      }
    }
    out[r] = s;
    if (r & 1) total += s;
  }
  show("out", out, R);
  printf("%d\n", total);
  return 0;
}
