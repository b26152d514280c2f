void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) {
    a[i] = 1;
    if (i == 3) break;  // EXPECT: break
  }
}
