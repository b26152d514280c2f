void f(int n, int *a, int *b) {
#pragma acc parallel loop num_gangs(1, 2, 3, 4) copy(a[0:n])  // EXPECT: num_gangs
  for (int i = 0; i < n; ++i) a[i] += 1;
}
