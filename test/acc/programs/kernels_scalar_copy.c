// Scalars of kernels are copied back; those of parallel are not changed outside.
#include "acctest.h"
int main(void) {
  int x = 5;
  double d = 0.5;
  char c = 'a';
#pragma acc kernels
  {
    x = x * 7;
    d += 1.25;
    c = (char)(c + 1);
  }
  printf("%d %g %c\n", x, d, c);
#pragma acc serial copy(x)
  {
    x += 1;
  }
  printf("%d\n", x);
  return 0;
}
