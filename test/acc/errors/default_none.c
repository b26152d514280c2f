void f(int n, int *a, int *b) {
#pragma acc parallel loop default(none) copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] += b[i];  // EXPECT: 'b'
}
