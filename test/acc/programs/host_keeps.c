// Regions that the host runs leave alone what they would have copies of on the device.
// SAYS: runs on the host
#include "acctest.h"
#include <complex.h>
typedef int (*Change)(int);
static int twice(int x) { return 2 * x; }
static Change change = twice;

static void on_host(int n, int *a) {
  int t = 5, u = 6, i, fixed[3] = {1, 2, 3}, sum = 0;
  int *row = new_ints(n, 4);
  int *before = new_ints(n, 4);
  Change own = change;
  /* The call of a pointer to a function leaves it to the host. */
#pragma acc parallel loop copy(a[0:n]) private(t) firstprivate(u, fixed, row[0:n]) reduction(+ : sum)
  for (i = 0; i < n; ++i) {
    t = own(a[i]);
    fixed[i % 3] = t;
    row[i] = t + 1;
    u = t;
    a[i] = t + row[i] + fixed[i % 3] + u;
    sum += a[i];
  }
  i = 0;
  show("a", a, n);
  printf("%d\n", sum);
  printf("%d %d\n", IN_ACC(t == 5 && u == 6), IN_ACC(fixed[0] == 1 && fixed[2] == 3));
  printf("%d\n", IN_ACC(!memcmp(row, before, (size_t)n * sizeof(int))));
  free(row);
  free(before);
}

static void sums(int n, const int *a) {
  double complex all = 1.0;
  int t = 3, count = 0;
#pragma acc parallel copyin(a[0:n]) private(t) reduction(+ : count)
  {
#pragma acc loop reduction(+ : all, count)
    for (int i = 0; i < n; ++i) {
      t = a[i];
      all += t + 2.0 * I;
      count += t;
    }
  }
  printf("%g %g %d\n", creal(all), cimag(all), count);
}

static void where(int n, int *a, int device) {
  int t = 5, u = 7, k = 3;
#pragma acc parallel copy(a[0:n]) if (device)
  {
    u = n;
#pragma acc loop private(t)
    for (k = 0; k < n; ++k) {
      t = a[k] * 3 + u;
      a[k] = t;
    }
  }
  printf("%d\n", IN_ACC(t == 5 && u == 7 && k == 3));
#pragma acc serial loop copy(a[0:n]) self(!device) firstprivate(u)
  for (k = 0; k < n; ++k) {
    u = k;
    a[k] += u;
  }
  printf("%d\n", IN_ACC(u == 7));
  show("a", a, n);
}

int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    on_host(n, a);
    sums(n, a);
    where(n, a, 0);
    where(n, a, 1);
    free(a);
  }
  return 0;
}
