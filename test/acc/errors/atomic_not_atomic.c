void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[0:n], b[0:1])
  for (int i = 0; i < n; ++i) {
#pragma acc atomic update  // EXPECT: atomic update
    b[0] = a[i] + 1;
  }
}
