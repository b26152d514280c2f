void f(int n, int *a, int *b) {
  if (n) goto in;  // EXPECT: 'goto' jumps into the block of a data construct
#pragma acc data copy(a[0:n])
  {
  in:
    a[0] = 1;
  }
}
