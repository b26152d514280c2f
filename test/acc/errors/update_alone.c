void f(int n, int *a, int *b) {
  if (n)
#pragma acc update self(a[0:n])  // EXPECT: update
  a[0] = 1;
}
