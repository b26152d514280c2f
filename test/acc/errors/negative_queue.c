void f(int n, int *a, int *b) {
#pragma acc parallel loop async(-7) copy(a[0:n])  // EXPECT: 'async' of -7
  for (int i = 0; i < n; ++i) a[i] += 1;
}
