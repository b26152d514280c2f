void f(int n, int *a, int *b) {
#pragma acc parallel loop vector_length(-32) copy(a[0:n])  // EXPECT: vector_length
  for (int i = 0; i < n; ++i) a[i] += 1;
}
