// declare at file scope: create and copyin, with updates, in constructs and in routines.
#include "acctest.h"
static int table[64], scale = 3;
#pragma acc declare create(table) copyin(scale)
#pragma acc routine seq
static int look(int i) { return table[i % 64] * scale; }
static int with(int n) {
  int *a = new_ints(n, 1);
  for (int i = 0; i < 64; ++i) table[i] = i * i;
#pragma acc update device(table)
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += look(i) + table[1];
  show("a", a, n);
  scale = 5;
#pragma acc update device(scale)
#pragma acc parallel loop present(table)
  for (int i = 0; i < 64; ++i) table[i] += scale;
#pragma acc update self(table)
  show("table", table, 64);
  free(a);
  return 0;
}
int main(void) {
  int status = 0;
  FOR_SIZES(n) {
    status |= with(n);
  }
  return status;
}
