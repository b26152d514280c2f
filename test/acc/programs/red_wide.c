// Row A11: many more values than threads.
#include "acctest.h"
static void with(int n) {
  int *a = new_ints(n, 1);
  long long sum = -1;
  unsigned h = 17;
  int least = 0;
#pragma acc parallel loop num_gangs(32) vector_length(64) copyin(a[0:n]) reduction(+ : sum) reduction(^ : h) reduction(min : least)
  for (int i = 0; i < n; ++i) {
    sum += (long long)a[i] * i;
    h ^= (unsigned)i * 2654435761u;
    least = a[i] - i < least ? a[i] - i : least;
  }
  printf("%lld %u %d\n", sum, h, least);
  free(a);
}
int main(void) {
  const int sizes[] = {0, 1, 33, 60001};
  for (int k = 0; k < 4; ++k) with(sizes[k]);
  return 0;
}
