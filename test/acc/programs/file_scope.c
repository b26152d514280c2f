// Static data of files and functions in regions, without declare.
#include "acctest.h"
static int table[30];
int shared_count = 4;
static double weights[3] = {0.5, 1.5, 2.5};
static void work(int *a, int n) {
  static int calls = 0;
  static int memory[16];
  ++calls;
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += table[i % 30] * shared_count + calls + (int)(weights[i % 3] * 4);
#pragma acc kernels
  {
    shared_count += 1;
    for (int i = 0; i < 16; ++i) memory[i] += i * shared_count;
  }
  show("memory", memory, 16);
}
int main(void) {
  for (int i = 0; i < 30; ++i) table[i] = i * i;
  FOR_SIZES(n) {
    int *a = new_ints(n, 1);
    work(a, n);
    printf("%d\n", shared_count);
    show("a", a, n);
    free(a);
  }
  return 0;
}
