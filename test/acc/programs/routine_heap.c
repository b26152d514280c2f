// What a routine's threads share on the heap is freed when all of them have read it.
#include "acctest.h"
#pragma acc routine worker
static int weighed(const int *a, int n) {
  int *own = (int *)malloc((size_t)(n + 1) * sizeof(int));
#pragma acc loop worker vector
  for (int i = 0; i < n; ++i) own[i] = a[i] * 3 + i;
  int sum = 0;
#pragma acc loop seq
  for (int i = 0; i < n; ++i) sum += own[i] * (i % 7);
  free(own);
  return sum;
}
#pragma acc routine vector
static int of_lanes(const int *a, int n) {
  int *own = (int *)malloc((size_t)(n + 1) * sizeof(int));
#pragma acc loop vector
  for (int i = 0; i < n; ++i) own[i] = a[i] - i;
  int last = n > 0 ? own[n - 1] : 7;
  free(own);
  return last;
}
int main(void) {
  FOR_SIZES(n) {
    const int rows = 3;
    int *a = new_ints(n * rows, 1), *out = new_ints(2 * rows, 2);
#pragma acc parallel num_gangs(2) num_workers(4) copyin(a[0:n * rows]) copyout(out[0:2 * rows])
    {
#pragma acc loop gang
      for (int r = 0; r < rows; ++r) {
        out[r] = weighed(a + r * n, n);
        out[rows + r] = of_lanes(a + r * n, n);
      }
    }
    show("out", out, 2 * rows);
    free(a);
    free(out);
  }
  return 0;
}
