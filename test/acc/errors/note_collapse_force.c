// Loops whose bounds are worked out between them have no common count.
void f(int n, int *a) {
#pragma acc parallel loop collapse(force : 2) copy(a[0:n*n])
  for (int i = 0; i < n; ++i) {
    int m = a[i];
    for (int j = 0; j < m; ++j) a[i * n + j] = 1;  // NOTE: the bounds of a collapsed loop hang on what stands between the loops
  }
}
