// Row A1: a directive that is none.
void f(int n, int *a, int *b) {
#pragma acc fcw  // EXPECT: invalid OpenACC directive 'fcw'
  for (int i = 0; i < n; ++i) a[i] += 1;
}
