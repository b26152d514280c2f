void f(int n, int *a, int *b) {
  while (n--)
#pragma acc data copy(a[0:n])
  {
    if (n > 3) break;  // EXPECT: 'break' leaves the block of 'data'
    a[0] = 1;
  }
}
