void f(int n, int *a, int *b) {
  int t = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(/ : t)  // EXPECT: invalid reduction operator
  for (int i = 0; i < n; ++i) t += a[i];
}
