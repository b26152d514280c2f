void f(int n, int *a, int (*g)(int)) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = g(a[i]);  // NOTE: function
}
