void f(int n, int *a, int *b) {
  int t = 0;
#pragma acc parallel loop copyin(a[0:n]) private(t) reduction(+ : t)  // EXPECT: 't' is named in 'private' and in 'reduction'
  for (int i = 0; i < n; ++i) t += a[i];
}
