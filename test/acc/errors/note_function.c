extern int elsewhere(int x);
void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) a[i] = elsewhere(a[i]);  // NOTE: elsewhere
}
