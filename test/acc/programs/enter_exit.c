// Row A9: data that stays from one function to the next.
#include "acctest.h"
static int *a, *t;
static int size;
static void begin(int n) {
  size = n;
  a = new_ints(n, 1);
  t = new_ints(n, 2);
#pragma acc enter data copyin(a[0:n]) create(t[0:n])
}
static void work(void) {
#pragma acc parallel loop present(a[0:size], t[0:size])
  for (int i = 0; i < size; ++i) t[i] = a[i] * 2;
#pragma acc parallel loop present(a, t)
  for (int i = 0; i < size; ++i) a[i] = t[size - 1 - i] + 1;
}
static void end(void) {
#pragma acc exit data copyout(a[0:size]) delete(t[0:size])
  show("a", a, size);
  free(a);
  free(t);
}
int main(void) {
  FOR_SIZES(n) {
    begin(n);
    work();
    work();
    end();
  }
  return 0;
}
