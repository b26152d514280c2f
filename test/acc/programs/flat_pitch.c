// Flat arrays with a pitch that the run knows, through macros and through functions of indices.
#include "acctest.h"
#define AT(a, i, j) (a)[(size_t)(i) * (size_t)pitch + (size_t)(j)]
static inline int at(int i, int j, int pitch) { return i * pitch + j; }
int main(void) {
  for (int n = 1; n < 70; n += 17) {
    int pitch = n + 3;
    int *a = new_ints(n * pitch, 1), *b = new_ints(n * pitch, 2);
#pragma acc data copyin(a[0:n*pitch]) copy(b[0:n*pitch])
    {
#pragma acc parallel loop gang
      for (int i = 1; i < n - 1; ++i) {
#pragma acc loop vector
        for (int j = 1; j < n - 1; ++j) AT(b, i, j) = AT(a, i - 1, j) + AT(a, i + 1, j) + AT(a, i, j - 1) + AT(a, i, j + 1);
      }
#pragma acc parallel loop collapse(2)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) b[at(i, j, pitch)] -= a[at(j, i, pitch)];
    }
    show("b", b, n * pitch);
    free(a); free(b);
  }
  return 0;
}
