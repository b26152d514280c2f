// Variables of the program that device code of several files names have one copy on the device.
// WITH: extern_declare_other.c
#include "acctest.h"
int factor = 3;
#pragma acc declare create(factor)
int table[16];
#pragma acc declare create(table)
extern int offset;
#pragma acc declare copyin(offset)
extern int large[100];
#pragma acc declare link(large)
#pragma acc routine seq
int scaled(int x);
#pragma acc routine seq
static int mine(int x) { return x + factor + table[x % 16] + offset; }
void update_table(int by);
int sum_of_other(int n);

int main(void) {
  FOR_SIZES(n) {
    int *out = new_ints(n, 1);
    factor = 7 + n;
#pragma acc update device(factor)
    update_table(3);
#pragma acc parallel loop copyout(out[0:n])
    for (int i = 0; i < n; ++i) out[i] = scaled(i) + mine(i);
    show("out", out, n);
    for (int i = 0; i < 100; ++i) large[i] = i + n;
#pragma acc data copyin(large)
#pragma acc parallel loop copy(out[0:n])
    for (int i = 0; i < n; ++i) out[i] += scaled(i) - large[i % 100];
    show("out", out, n);
    printf("%d\n", sum_of_other(n));
    free(out);
  }
  return 0;
}
