// References to what a region has under another name, too.
#include "acctest.h"
static void add(int (&a)[300], int (&b)[300]) {
#pragma acc kernels copy(a, b)
  for (int i = 1; i < 300; ++i) a[i] = b[i - 1] + 1;
}
static void shift(int* a, int n, const int& by) {
#pragma acc kernels copy(a[0 : n])
  for (int i = 0; i < n; ++i) a[i] += by;
}
int main() {
  int A[300], B[300], C[300] = {};
  for (int i = 0; i < 300; ++i) A[i] = i, B[i] = 2 * i;
  int& r = A[5];
#pragma acc kernels copy(A)
  for (int i = 0; i < 300; ++i) A[i] = r + 1;
#pragma acc kernels copy(A)
  for (int i = 0; i < 300; ++i) {
    r += i;
    A[i] += 1;
  }
#pragma acc parallel num_gangs(1) copy(A, C, r)
  {
#pragma acc loop vector
    for (int i = 0; i < 300; ++i) A[i] += i;
#pragma acc loop vector
    for (int i = 0; i < 300; ++i) C[i] = r;
  }
  show("A", A, 300);
  show("C", C, 300);
  add(A, B);
  show("A", A, 300);
  add(B, B);
  show("B", B, 300);
  shift(B, 300, A[7]);
  shift(B, 300, B[7]);
  show("B", B, 300);
}
