// Scalars of a region on a queue have the values of when it was given, whatever the host does next.
#include "acctest.h"
int main(void) {
  int n = 100, out[6][100];
#pragma acc data copyout(out)
  {
    int k;
    for (k = 0; k < 6; ++k) {
#pragma acc parallel loop async(k % 2)
      for (int i = 0; i < n; ++i) out[k][i] = k * 1000 + i;
    }
    k = 77;
#pragma acc wait
  }
  show("out", &out[0][0], 600);
  return 0;
}
