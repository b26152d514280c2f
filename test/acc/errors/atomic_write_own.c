void f(int n, int *x) {
#pragma acc parallel loop copy(x[0:1])
  for (int i = 0; i < n; ++i) {
#pragma acc atomic write
    x[0] = x[0] + 1;  // EXPECT: the expression of this atomic reads what it changes, which nothing makes one operation
  }
}
