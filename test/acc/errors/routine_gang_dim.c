#pragma acc routine gang(dim : 2)
void two(int n, int *a) {
#pragma acc loop gang(dim : 3)  // EXPECT: a gang loop of dimension 3 in a 'routine gang' of dimension 2
  for (int i = 0; i < n; ++i) a[i] = 1;
}
#pragma acc routine gang
void one(int n, int *a) {
  two(n, a);  // EXPECT: 'two', a 'routine gang', of dimension 2 is called from one of dimension 1
}
void f(int n, int *a) {
#pragma acc parallel copy(a[0:n])
  {
#pragma acc loop gang(dim : 2)
    for (int i = 0; i < n; ++i) two(n, a);  // EXPECT: is called in a gang loop, which leaves no such parallelism to it
#pragma acc loop gang
    for (int i = 0; i < n; ++i) {
#pragma acc loop gang(dim : 2)  // EXPECT: a gang loop of dimension 2 stands in one of dimension 1; higher dimensions stand outside of lower ones
      for (int j = 0; j < n; ++j) a[i * n + j] = 1;
    }
  }
}
