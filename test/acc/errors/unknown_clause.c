void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[0:n]) smc(a)  // EXPECT: smc
  for (int i = 0; i < n; ++i) a[i] += 1;
}
