void f(int n, int *p) {
#pragma acc data copy(p[0:n])
  {
#pragma acc host_data use_device(p[0:3])  // EXPECT: 'use_device' takes names of variables and arrays, 'p\[0:3\]' is a section
    { p[0] = 1; }
  }
}
