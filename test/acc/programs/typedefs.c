// Row A4: types that hide behind names: typedefs of arrays, pointers, anonymous structs, sizes.
#include <stdbool.h>
#include <stdint.h>
#include "acctest.h"
typedef int Row[8];
typedef const double *Values;
typedef struct { int kind; struct { short lo, hi; }; } Tagged;
int main(void) {
  Row rows[20];
  Tagged t[20];
  uint8_t bytes[20];
  bool odd[20];
  double *d = new_doubles(20, 4);
  Values v = d;
#pragma acc parallel loop copyout(rows, t, bytes, odd) copyin(v[0:20])
  for (int i = 0; i < 20; ++i) {
    for (size_t j = 0; j < sizeof(Row) / sizeof(int); ++j) rows[i][j] = i + (int)j;
    t[i].kind = i;
    t[i].lo = (short)(v[i] * 4);
    t[i].hi = (short)-i;
    bytes[i] = (uint8_t)(i * 30);
    odd[i] = i & 2;
  }
  show("rows", &rows[0][0], 160);
  int sum = 0;
  for (int i = 0; i < 20; ++i) sum += t[i].kind + t[i].lo * 3 + t[i].hi * 5 + bytes[i] + odd[i];
  printf("%d\n", sum);
  free(d);
  return 0;
}
