void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) {  // EXPECT: changes its counter 'i'
    a[i] = 1;
    if (n > 10) ++i;
  }
}
