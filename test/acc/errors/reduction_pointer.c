void f(int n, int *a, int *b) {
#pragma acc parallel loop copyin(b[0:n]) reduction(+ : a)  // EXPECT: used in OpenACC 'reduction' variable reference
  for (int i = 0; i < n; ++i) a += b[i];
}
