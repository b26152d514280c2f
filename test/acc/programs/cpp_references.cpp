// References: parameters, locals, to scalars, arrays and structs.
#include "acctest.h"
struct Box {
  int lo, hi;
};
static void work(int& count, int (&table)[8], Box& box, int*& a, const int& n) {
#pragma acc parallel loop copy(a[0 : n]) copyin(table)
  for (int i = 0; i < n; ++i) a[i] += table[i % 8] + box.lo;
#pragma acc parallel loop copyin(a[0 : n]) reduction(+ : count)
  for (int i = 0; i < n; ++i) {
    int& x = a[i];
    const int& y = x;
    count += y > box.hi;
  }
#pragma acc serial copy(box, table)
  {
    Box& b = box;
    b.lo += 1;
    table[b.lo & 7] = b.hi;
  }
}
int main() {
  FOR_SIZES(n) {
    int *a = new_ints(n, 1), count = 1, table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    Box box{2, 30};
    work(count, table, box, a, n);
    work(count, table, box, a, n);
    printf("%d %d %d\n", count, box.lo, table[3]);
    show("a", a, n);
    free(a);
  }
}
