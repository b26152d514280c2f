void f(int n, int *a, int *b) {
#pragma acc parallel loop gang copy(a[0:n*n])
  for (int i = 0; i < n; ++i) {
#pragma acc loop gang  // EXPECT: error: a gang loop stands inside another gang loop of its dimension
    for (int j = 0; j < n; ++j) a[i * n + j] = 1;
  }
}
