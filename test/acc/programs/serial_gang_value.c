// Values worked out by one lane between parallel loops of one gang, over many steps.
#include "acctest.h"
int main(void) {
  int n = 97;
  int *a = new_ints(n, 2);
  int seen = 0;
#pragma acc parallel num_gangs(1) vector_length(64) copy(a[0:n], seen)
  {
    for (int t = 0; t < 9; ++t) {
      int pivot = a[(t * 13) % n];
      seen += pivot;
#pragma acc loop vector
      for (int i = 0; i < n; ++i) a[i] = (a[i] * 3 + pivot) % 1000;
    }
  }
  printf("%d\n", seen);
  show("a", a, n);
  free(a);
  return 0;
}
