// Row A3: arrays, structs and scalars that no clause names.
#include "acctest.h"
typedef struct { int scale; int add[4]; } How;
int main(void) {
  int a[100], b[10][10];
  How how = {3, {1, 2, 3, 4}};
  double d = 0.5;
  short s = 2;
  for (int i = 0; i < 100; ++i) a[i] = i;
#pragma acc parallel loop
  for (int i = 0; i < 100; ++i) {
    a[i] = a[i] * how.scale + how.add[i % 4] + s;
    b[i / 10][i % 10] = (int)(a[i] * d);
  }
  show("a", a, 100);
  show("b", &b[0][0], 100);
#pragma acc kernels
  {
    how.scale = a[3];
    for (int i = 0; i < 4; ++i) how.add[i] += i;
  }
  printf("%d %d %d %d %d\n", how.scale, how.add[0], how.add[1], how.add[2], how.add[3]);
  return 0;
}
