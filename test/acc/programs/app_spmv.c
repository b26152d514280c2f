// A sparse matrix times a vector: rows of unequal length, indices from memory.
#include "acctest.h"
int main(void) {
  FOR_SIZES(n) {
    int *start = new_ints(n + 1, 0);
    start[0] = 0;
    for (int i = 0; i < n; ++i) start[i + 1] = start[i] + (i * 7) % 13;
    int nnz = start[n];
    int *col = new_ints(nnz, 1), *val = new_ints(nnz, 2), *x = new_ints(n, 3), *y = new_ints(n, 4);
    for (int k = 0; k < nnz; ++k) col[k] = (k * 31) % n;
#pragma acc parallel loop gang worker vector_length(32) copyin(start[0:n+1], col[0:nnz], val[0:nnz], x[0:n]) copyout(y[0:n])
    for (int i = 0; i < n; ++i) {
      int s = 0;
#pragma acc loop vector reduction(+ : s)
      for (int k = start[i]; k < start[i + 1]; ++k) s += val[k] * x[col[k]];
      y[i] = s;
    }
    show("y", y, n);
    free(start); free(col); free(val); free(x); free(y);
  }
  return 0;
}
