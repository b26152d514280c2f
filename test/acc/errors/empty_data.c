void f(int n, int *a, int *b) {
#pragma acc data  // EXPECT: OpenACC 'data' construct must have at least one
  { a[0] = 1; }
}
