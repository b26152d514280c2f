void f(int n, int *a, int *b) {
#pragma acc serial loop num_gangs(4) copy(a[0:n])  // EXPECT: num_gangs
  for (int i = 0; i < n; ++i) a[i] += 1;
}
