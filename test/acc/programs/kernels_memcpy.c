// Loops of kernels whose iterations copy or fill more than one element, which others read or write as well.
#include "acctest.h"
int main(void) {
  int *a = new_ints(400, 1), *b = new_ints(400, 2), rows[40][4] = {{0}};
#pragma acc kernels copy(a[0:400])
  for (int i = 0; i < 50; ++i) memcpy(&a[i * 2], &a[i * 2 + 3], 8);
  show("read ahead", a, 400);
#pragma acc kernels copy(a[0:400])
  for (int i = 0; i < 50; ++i) memset(&a[i * 2], i, 12);
  show("filled twice", a, 400);
#pragma acc kernels copy(rows) copyin(a[0:400])
  for (int i = 0; i < 39; ++i) {
    memcpy(&rows[i][2], &a[i * 8], 16);
    rows[i][2] += i;
  }
  show("into the next row", &rows[0][0], 160);
#pragma acc kernels copy(a[0:400]) copyin(b[0:400])
  for (int i = 0; i < 100; ++i) {
    int own[4];
    memcpy(own, &b[i], sizeof own);
    a[i] = own[0] + own[3];
  }
  show("own", a, 400);
  free(a);
  free(b);
  return 0;
}
