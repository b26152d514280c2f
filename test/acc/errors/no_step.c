void f(int n, int *a, int *b) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n;) a[i++] = 1;  // EXPECT: OpenACC 'parallel loop' variable must monotonically increase or decrea
}
