// Row A15: more iterations than the grid has threads, and as many; both give the same.
#include "acctest.h"
static void with(int n) {
  int *a = new_ints(n, 1), *b = new_ints(n, 1);
#pragma acc parallel loop gang vector num_gangs(3) vector_length(32) copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = a[i] * 5 + i;
#pragma acc parallel loop gang vector vector_length(128) copy(b[0:n])
  for (int i = 0; i < n; ++i) b[i] = b[i] * 5 + i;
  show("a", a, n);
  printf("%d\n", memcmp(a, b, sizeof(int) * (size_t)n));
#pragma acc parallel loop gang num_gangs(70) copy(b[0:n])
  for (int i = 0; i < 70; ++i) {
#pragma acc loop vector
    for (int j = i; j < n; j += 70) b[j] -= i;
  }
  show("b", b, n);
  free(a); free(b);
}
int main(void) {
  const int sizes[] = {0, 1, 33, 20011};
  for (int k = 0; k < 4; ++k) with(sizes[k]);
  return 0;
}
