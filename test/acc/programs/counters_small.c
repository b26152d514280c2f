// Counters of 8 and 16 bits, and bounds of another type.
#include "acctest.h"
int main(void) {
  int a[128];
  for (int i = 0; i < 128; ++i) a[i] = i;
#pragma acc parallel loop copy(a)
  for (signed char i = 0; i < 100; ++i) a[i] += 1;
#pragma acc parallel loop copy(a)
  for (short i = 127; i >= 0; i -= 2) a[i] *= 2;
  long long bound = 77;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < bound; ++i) a[i] -= 5;
  unsigned char last = 90;
#pragma acc parallel loop copy(a)
  for (int i = -1; i <= last; ++i) a[i + 1] ^= 3;
  show("a", a, 128);
  return 0;
}
