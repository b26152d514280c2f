void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(z[0:n])  // EXPECT: undeclared identifier 'z'
  for (int i = 0; i < n; ++i) a[i] += 1;
}
