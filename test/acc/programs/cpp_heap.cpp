// new and delete in routines and regions: what a gang's threads share goes when all have read it.
#include "acctest.h"
struct Pair {
  int a, b;
  Pair(int x, int y) : a(x), b(y) {}
};
#pragma acc routine worker
static int weighed(const int* a, int n) {
  int* own = new int[n + 1];
#pragma acc loop worker vector
  for (int i = 0; i < n; ++i) own[i] = a[i] * 3 + i;
  int sum = 0;
#pragma acc loop seq
  for (int i = 0; i < n; ++i) sum += own[i] * (i % 7);
  delete[] own;
  return sum;
}
int main() {
  FOR_SIZES(n) {
    const int rows = 3;
    int *a = new_ints(n * rows, 1), *out = new_ints(n + rows, 2);
#pragma acc parallel num_gangs(2) copyin(a[0 : n * rows]) copyout(out[0 : rows])
    {
#pragma acc loop gang
      for (int r = 0; r < rows; ++r) out[r] = weighed(a + r * n, n);
    }
    show("sums", out, rows);
#pragma acc parallel loop copyin(a[0 : n * rows]) copyout(out[0 : n])
    for (int i = 0; i < n; ++i) {
      Pair* pair = new Pair(a[i], i);
      out[i] = pair->a - pair->b;
      delete pair;
    }
    show("pairs", out, n);
    free(a);
    free(out);
  }
  return 0;
}
