// Reduction in a vector loop, its value used by one lane and by the lanes of the next loop.
#include "acctest.h"
static void normalize(int rows, int cols, int *a, int *sums) {
#pragma acc parallel loop gang copy(a[0:rows*cols]) copyout(sums[0:rows])
  for (int r = 0; r < rows; ++r) {
    int most = -100000;
#pragma acc loop vector reduction(max : most)
    for (int c = 0; c < cols; ++c) most = a[r * cols + c] > most ? a[r * cols + c] : most;
    int sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int c = 0; c < cols; ++c) {
      a[r * cols + c] = most - a[r * cols + c];
      sum += a[r * cols + c];
    }
    sums[r] = sum;
    int share = sum / (cols ? cols : 1);
#pragma acc loop vector
    for (int c = 0; c < cols; ++c) a[r * cols + c] -= share;
  }
}
int main(void) {
  const int dims[][2] = {{0, 4}, {4, 0}, {1, 1}, {5, 33}, {33, 5}, {12, 300}};
  for (int d = 0; d < 6; ++d) {
    int rows = dims[d][0], cols = dims[d][1];
    int *a = new_ints(rows * cols, d + 3), *sums = new_ints(rows, 0);
    normalize(rows, cols, a, sums);
    show("a", a, rows * cols);
    show("sums", sums, rows);
    free(a); free(sums);
  }
  return 0;
}
