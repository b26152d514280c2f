void f(int n, int *a, int *b) {
#pragma acc parallel loop vector copy(a[0:n*n])
  for (int i = 0; i < n; ++i) {
#pragma acc loop worker  // EXPECT: worker
    for (int j = 0; j < n; ++j) a[i * n + j] = 1;
  }
}
