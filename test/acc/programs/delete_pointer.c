/* A pointer alone in delete: the section that it leads to leaves the device, and comes anew the next time. */
#include "acctest.h"

static void work(int n) {
  double *a = malloc((size_t)(n + 1) * sizeof(double)), sum = 0;
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma acc enter data copyin(a[0:n])
#pragma acc exit data delete(a)
  for (int i = 0; i < n; ++i) a[i] = 2 * i;
#pragma acc enter data copyin(a[0:n])
#pragma acc data present(a)
  {
#pragma acc parallel loop present(a) reduction(+:sum)
    for (int i = 0; i < n; ++i) sum += a[i];
  }
#pragma acc enter data copyin(a[0:n])
#pragma acc exit data delete(a) finalize
  for (int i = 0; i < n; ++i) a[i] = 1;
#pragma acc parallel loop copyin(a[0:n]) reduction(+:sum)
  for (int i = 0; i < n; ++i) sum += a[i];
  /* What lies behind the end of another section is not part of it. */
  double pair[2] = {1, 2}, *first = pair, *second = pair + 1;
#pragma acc enter data copyin(first[0:1])
#pragma acc exit data delete(second)
  first[0] = 5;
#pragma acc parallel loop present(first[0:1]) reduction(+:sum)
  for (int i = 0; i < 1; ++i) sum += first[i] > 0;
#pragma acc exit data delete(first)
  printf("%d: %g\n", n, sum);
  free(a);
}

int main(void) {
  FOR_SIZES(n) work(n);
  return 0;
}
