// Conditions around worker and vector loops that hold for whole gangs.
#include "acctest.h"
int main(void) {
  enum { R = 24, C = 45 };
  static int a[R][C];
#pragma acc parallel copy(a) vector_length(32)
  {
#pragma acc loop gang
    for (int r = 0; r < R; ++r) {
      if (r % 3 == 0) {
#pragma acc loop vector
        for (int c = 0; c < C; ++c) a[r][c] = c;
      } else if (r % 3 == 1) {
        a[r][0] = -r;
#pragma acc loop vector
        for (int c = 1; c < C; ++c) a[r][c] = r;
      }
      for (int t = 0; t < r % 4; ++t) {
#pragma acc loop vector
        for (int c = t; c < C; ++c) a[r][c] += t + c;
      }
    }
  }
  show("a", &a[0][0], R * C);
  return 0;
}
