#pragma acc routine worker
void g(int *a);
void f(int n, int *a) {
#pragma acc parallel loop gang vector copy(a[0:n])
  for (int i = 0; i < n; ++i) g(a + i);  // EXPECT: 'g', a 'routine worker'
}
