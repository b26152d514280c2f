void f(int n, int *a) {
#pragma acc parallel copy(a[0:n])
  {
#pragma acc cache(a[0:n])  // EXPECT: 'cache' stands in no loop
    a[0] = 1;
  }
}
