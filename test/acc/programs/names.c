// Names that generated text may not clash with: locals named like runtime words, the same names in several functions.
#include "acctest.h"
static int hone_acc_call_count = 2;
static int blockIdx = 3, threadIdx = 4;
static int work(int *data, int items) {
  int call = 5, stream = 6, values = 7, vars = 8, kernel = 9, device = 10, blockDim = 11;
#pragma acc parallel loop copy(data[0:items])
  for (int i = 0; i < items; ++i) data[i] += call + stream * values + vars - kernel + device + blockDim + blockIdx * threadIdx + hone_acc_call_count;
  return items;
}
static int min(int a, int b) { return a < b ? a + 1 : b + 1; }
int main(void) {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), this_ = 3, template_ = 1, class = 2, new = 5, operator= 1;
    work(a, n);
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; ++i) a[i] = min(a[i], class * new + operator+ this_ + template_);
    show("a", a, n);
    free(a);
  }
  return 0;
}
