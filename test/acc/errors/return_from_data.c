void f(int n, int *a, int *b) {
#pragma acc data copy(a[0:n])
  {
    if (n > 3) return;  // EXPECT: 'return' leaves the block of 'data'
    a[0] = 1;
  }
}
