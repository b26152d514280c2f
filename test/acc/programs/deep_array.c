// An array of structs, each with its own data.
#include "acctest.h"
typedef struct { int n; int *v; } Row;
int main(void) {
  enum { R = 9 };
  Row rows[R];
  for (int r = 0; r < R; ++r) {
    rows[r].n = r * 5;
    rows[r].v = new_ints(r * 5, r);
  }
#pragma acc enter data copyin(rows)
  for (int r = 0; r < R; ++r) {
#pragma acc enter data copyin(rows[r].v[0:rows[r].n])
  }
#pragma acc parallel loop gang present(rows)
  for (int r = 0; r < R; ++r) {
#pragma acc loop vector
    for (int i = 0; i < rows[r].n; ++i) rows[r].v[i] = rows[r].v[i] * 2 + r;
  }
  for (int r = 0; r < R; ++r) {
#pragma acc exit data copyout(rows[r].v[0:rows[r].n])
  }
#pragma acc exit data delete(rows)
  for (int r = 0; r < R; ++r) {
    show("v", rows[r].v, rows[r].n);
    free(rows[r].v);
  }
  return 0;
}
