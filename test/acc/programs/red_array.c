// Arrays as reduction variables.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 12);
    int bins[5] = {1, 2, 3, 4, 5};
    int most[3] = {-500, -500, 7};
#pragma acc parallel loop copyin(a[0:n]) reduction(+ : bins) reduction(max : most)
    for (int i = 0; i < n; ++i) {
      bins[(a[i] + 100) % 5] += 1;
      most[i % 3] = a[i] > most[i % 3] ? a[i] : most[i % 3];
    }
    show("bins", bins, 5);
    show("most", most, 3);
    free(a);
  }
  return 0;
}
