void f(int n, int *a, int *b) {
#pragma acc parallel loop gang(dim : 4) copy(a[0:n])  // EXPECT: argument to 'gang' clause dimension must be 1, 2, or 3
  for (int i = 0; i < n; ++i) a[i] += 1;
}
