void f(int n, int (*m)[10]) {
#pragma acc data copy(m[0:n][2:3])  // EXPECT: is not contiguous
  { m[0][2] = 1; }
}
