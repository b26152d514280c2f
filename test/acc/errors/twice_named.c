void f(int n, int *a, int *b) {
#pragma acc parallel loop copyin(a[0:n]) copyout(a[0:n])  // EXPECT: is named in 'copyin' and in 'copyout'
  for (int i = 0; i < n; ++i) a[i] += 1;
}
