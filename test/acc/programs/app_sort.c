// Sorting by odd and even exchanges, and by counting with atomics.
#include "acctest.h"
int main(void) {
  for (int n = 0; n < 90; n = n * 2 + 3) {
    int *a = new_ints(n, 1), *count = (int *)calloc(256, sizeof(int)), *out = new_ints(n, 2);
#pragma acc data copy(a[0:n]) copy(count[0:256])
    {
#pragma acc parallel loop
      for (int i = 0; i < n; ++i) {
#pragma acc atomic
        count[a[i] + 128]++;
      }
      for (int t = 0; t < n; ++t) {
#pragma acc parallel loop
        for (int i = t % 2; i < n - 1; i += 2)
          if (a[i] > a[i + 1]) {
            int x = a[i];
            a[i] = a[i + 1];
            a[i + 1] = x;
          }
      }
    }
    int k = 0;
    for (int v = 0; v < 256; ++v)
      for (int c = 0; c < count[v]; ++c) out[k++] = v - 128;
    show("a", a, n);
    printf("%d %d\n", k == n, memcmp(a, out, sizeof(int) * (size_t)n));
    free(a); free(count); free(out);
  }
  return 0;
}
