void f(int n, int *a, int *b) {
#pragma acc parallel loop collapse(3) copy(a[0:n*n])  // EXPECT: collapse
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i * n + j] = 1;
}
