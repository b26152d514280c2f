void f(int n, int *a, int *b) {
#pragma acc kernels copy(a[0:n])
  {
#pragma acc data copy(b[0:n])  // EXPECT: 'data' may not stand in a compute construct
    { a[0] = 1; }
  }
}
