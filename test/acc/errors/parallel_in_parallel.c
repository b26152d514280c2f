void f(int n, int *a, int *b) {
#pragma acc parallel copy(a[0:n])
  {
#pragma acc parallel copy(b[0:n])  // EXPECT: parallel
    { a[0] = 1; }
  }
}
