void f(int n, int *a, int *b) {
  int t = 0;
#pragma acc parallel loop gang copyin(a[0:n*n]) reduction(+ : t)
  for (int i = 0; i < n; ++i) {
#pragma acc loop vector reduction(max : t)  // EXPECT: OpenACC 'reduction' variable must have the same operator in all nested
    for (int j = 0; j < n; ++j) t = a[i * n + j] > t ? a[i * n + j] : t;
  }
}
