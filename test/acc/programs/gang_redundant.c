// Every gang runs the code outside of gang loops: sequential loops over private arrays, branches.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 6);
#pragma acc parallel num_gangs(5) copy(a[0:n])
    {
      int table[16];
      for (int i = 0; i < 16; ++i) table[i] = i * i;
      for (int i = 1; i < 16; ++i) table[i] += table[i - 1];
      int pick = 0;
      if (n > 10)
        pick = table[15];
      else
        pick = table[3];
#pragma acc loop gang vector
      for (int i = 0; i < n; ++i) a[i] += table[i % 16] * 2 + pick;
    }
    show("a", a, n);
    free(a);
  }
  return 0;
}
