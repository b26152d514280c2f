// Arrays of two, three and four dimensions with known sizes; parts of them.
#include "acctest.h"
static int a2[12][17], a3[5][6][7], a4[3][4][5][6];
int main(void) {
#pragma acc parallel loop collapse(2) copyout(a2)
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 17; ++j) a2[i][j] = i * 20 + j;
#pragma acc parallel loop copy(a2[3:5][0:17])
  for (int i = 3; i < 8; ++i)
    for (int j = 0; j < 17; ++j) a2[i][j] *= -1;
#pragma acc parallel loop gang copyout(a3)
  for (int i = 0; i < 5; ++i) {
#pragma acc loop vector collapse(2)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 7; ++k) a3[i][j][k] = a2[i][j] + k;
  }
#pragma acc kernels copyout(a4)
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 5; ++k)
        for (int l = 0; l < 6; ++l) a4[i][j][k][l] = a3[i][j][k] * 10 + l;
  show("a2", &a2[0][0], 12 * 17);
  show("a3", &a3[0][0][0], 5 * 6 * 7);
  show("a4", &a4[0][0][0][0], 3 * 4 * 5 * 6);
  return 0;
}
