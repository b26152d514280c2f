// while, do, switch, break, continue inside of parallel iterations.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 2), *b = new_ints(n, 3);
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; ++i) {
      int x = a[i] < 0 ? -a[i] : a[i], steps = 0;
      x += 1;
      while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        if (++steps > 60) break;
      }
      int k = 0;
      do {
        if (k % 3 == 1) continue;
        steps += k;
      } while (++k < 7);
      switch (i % 5) {
        case 0: steps += 100; break;
        case 1: steps += 200;
        case 2: steps *= 2; break;
        case 3: steps -= 1; break;
        default: steps = -steps;
      }
      for (;;) {
        if (steps > -1000) break;
        steps += 10;
      }
      if (i % 7 == 6) {
        b[i] = -1;
        continue;
      }
      b[i] = steps;
    }
    show("b", b, n);
    free(a); free(b);
  }
  return 0;
}
