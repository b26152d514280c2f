// Code of one lane before, between and behind the vector loops of a gang's rows.
#include "acctest.h"
static void work(int rows, int cols, int *a, int *first, int *last) {
#pragma acc parallel copy(a[0:rows*cols]) copyout(first[0:rows], last[0:rows]) vector_length(64)
  {
#pragma acc loop gang
    for (int r = 0; r < rows; ++r) {
      int *row = a + r * cols;
      int base = r * 3;
      first[r] = base;
      if (cols > 0) first[r] += row[0];
#pragma acc loop vector
      for (int c = 0; c < cols; ++c) row[c] += base;
      base = base * 2 + (cols > 0 ? row[cols - 1] : 0);
      if (cols > 1) row[0] = base;
#pragma acc loop vector
      for (int c = 1; c < cols; ++c) row[c] -= row[0];
      last[r] = base + (cols > 0 ? row[cols / 2] : 1);
    }
  }
}
int main(void) {
  const int dims[][2] = {{0, 5}, {5, 0}, {1, 1}, {3, 65}, {17, 31}, {40, 129}};
  for (int d = 0; d < 6; ++d) {
    int rows = dims[d][0], cols = dims[d][1];
    int *a = new_ints(rows * cols, d), *first = new_ints(rows, 0), *last = new_ints(rows, 0);
    work(rows, cols, a, first, last);
    show("a", a, rows * cols);
    show("first", first, rows);
    show("last", last, rows);
    free(a); free(first); free(last);
  }
  return 0;
}
