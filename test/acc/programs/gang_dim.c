// gang(dim:): several dimensions of gangs.
#include "acctest.h"
int main(void) {
  enum { A = 5, B = 9, C = 17 };
  static int a[A][B][C];
#pragma acc parallel num_gangs(2, 3, 4) copy(a)
  {
#pragma acc loop gang(dim : 3)
    for (int i = 0; i < A; ++i) {
#pragma acc loop gang(dim : 2)
      for (int j = 0; j < B; ++j) {
#pragma acc loop gang(dim : 1)
        for (int k = 0; k < C; ++k) a[i][j][k] = i * 1000 + j * 50 + k;
      }
    }
  }
  show("a", &a[0][0][0], A * B * C);
#pragma acc parallel loop gang(dim : 2) num_gangs(3, 2) copy(a)
  for (int i = 0; i < A; ++i) {
#pragma acc loop gang(dim : 1) vector
    for (int j = 0; j < B; ++j)
      for (int k = 0; k < C; ++k) a[i][j][k] += j;
  }
  show("a", &a[0][0][0], A * B * C);
  return 0;
}
