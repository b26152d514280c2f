// declare in functions: data for the time of the function.
#include "acctest.h"
static int work(int n, int *a) {
  int t[50];
#pragma acc declare copy(a[0:n]) create(t)
#pragma acc parallel loop
  for (int i = 0; i < 50; ++i) t[i] = i * 2;
#pragma acc parallel loop
  for (int i = 0; i < n; ++i) a[i] += t[i % 50];
  return n / 2;
}
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    int r = work(n, a);
    printf("%d\n", r);
    show("a", a, n);
    free(a);
  }
  return 0;
}
