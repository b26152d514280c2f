// Row A1: a clause that its directive does not take.
void f(int n, int *a, int *b) {
#pragma acc data vector_length(3) copy(a[0:n])  // EXPECT: vector_length
  for (int i = 0; i < n; ++i) a[i] += 1;
}
