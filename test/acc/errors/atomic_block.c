void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[0:n], b[0:1])
  for (int i = 0; i < n; ++i) {
    int v;
#pragma acc atomic capture  // EXPECT: atomic capture
    { v = b[0]; a[i] += v; }
  }
}
