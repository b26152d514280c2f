void f(int n, int (*m)[10]) {
#pragma acc data copy(m[0:n][2:3])  // EXPECT: the section '.*' is not contiguous; every dimension behind its first has to be whole
  { m[0][2] = 1; }
}
