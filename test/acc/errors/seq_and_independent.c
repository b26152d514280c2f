void f(int n, int *a, int *b) {
#pragma acc kernels loop seq independent copy(a[0:n])  // EXPECT: OpenACC clause 'independent' may not appear on the same construct as a
  for (int i = 0; i < n; ++i) a[i] += 1;
}
