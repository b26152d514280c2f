void f(int n, int *a, int *b) {
#pragma acc parallel loop num_gangs(0) copy(a[0:n])  // EXPECT: 'num_gangs' of 0; it has to be at least 1
  for (int i = 0; i < n; ++i) a[i] += 1;
}
