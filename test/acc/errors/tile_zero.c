void f(int n, int *a, int *b) {
#pragma acc parallel loop tile(0) copy(a[0:n])  // EXPECT: tile
  for (int i = 0; i < n; ++i) a[i] += 1;
}
