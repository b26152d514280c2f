// Constructs in a header of the program.
#include "acctest.h"
#include "shared_regions.h"
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    add_all(a, n, 4);
    printf("%d\n", sum_all(a, n));
    show("a", a, n);
    free(a);
  }
  return 0;
}
