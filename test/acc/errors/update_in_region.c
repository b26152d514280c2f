// Row A1: a directive where it may not stand.
void f(int n, int *a, int *b) {
#pragma acc parallel copy(a[0:n])
  {
    a[0] = 1;
#pragma acc update self(a[0:n])  // EXPECT: 'update' may not stand in a compute construct
  }
}
