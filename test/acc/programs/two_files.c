// Two files with regions; a routine of the one called from the other.
// WITH: two_files_other.c
#include "acctest.h"
#pragma acc routine seq
extern int elsewhere(int x);
extern void add_there(int *a, int n);
extern int shared_table[10];
#pragma acc declare create(shared_table)
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] = elsewhere(a[i]) + i;
    add_there(a, n);
    show("a", a, n);
    free(a);
  }
  return 0;
}
