// Reductions in vector loops inside of a sequential loop of a gang; the variable is set anew each time.
#include "acctest.h"
int main(void) {
  enum { R = 9, C = 77, T = 4 };
  static int a[R][C], out[R][T];
#pragma acc parallel loop gang copy(a) copyout(out)
  for (int r = 0; r < R; ++r) {
    int carry = r;
#pragma acc loop seq
    for (int t = 0; t < T; ++t) {
      int s = 0;
#pragma acc loop vector reduction(+ : s)
      for (int c = 0; c < C; ++c) {
        a[r][c] += c * t + carry;
        s += a[r][c];
      }
      carry = s % 17;
      out[r][t] = s;
    }
  }
  show("a", &a[0][0], R * C);
  show("out", &out[0][0], R * T);
  return 0;
}
