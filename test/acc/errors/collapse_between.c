void f(int n, int *a, int *b) {
#pragma acc parallel loop collapse(2) copy(a[0:n*n])
  for (int i = 0; i < n; ++i) {
    int t = i * n;  // EXPECT: inner loops must be tightly nested inside a 'collapse' clause on a 'pa
    for (int j = 0; j < n; ++j) a[t + j] = 1;
  }
}
