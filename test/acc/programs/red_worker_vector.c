// One loop spread over workers and lanes with reductions of several operators.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n * 3, 8);
    int out[3][3];
#pragma acc parallel loop gang num_workers(4) vector_length(32) copyin(a[0:3*n]) copyout(out)
    for (int g = 0; g < 3; ++g) {
      int s = 0, m = 1000, x = -1;
#pragma acc loop worker vector reduction(+ : s) reduction(min : m) reduction(& : x)
      for (int i = 0; i < n; ++i) {
        s += a[g * n + i];
        m = a[g * n + i] < m ? a[g * n + i] : m;
        x &= a[g * n + i] | 8;
      }
      out[g][0] = s;
      out[g][1] = m;
      out[g][2] = x;
    }
    show("out", &out[0][0], 9);
    free(a);
  }
  return 0;
}
