#pragma acc routine seq
void f(int n, int *a) {
#pragma acc loop vector  // EXPECT: vector
  for (int i = 0; i < n; ++i) a[i] = 1;
}
