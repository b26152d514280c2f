void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[:])  // EXPECT: OpenACC sub-array length is unspecified and cannot be inferred because
  for (int i = 0; i < n; ++i) a[i] += 1;
}
