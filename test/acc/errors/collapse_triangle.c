void f(int n, int *a, int *b) {
#pragma acc parallel loop collapse(2) copy(a[0:n*n])
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) a[i * n + j] = 1;  // EXPECT: bounds hang on 'i'
}
