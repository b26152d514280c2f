#pragma acc routine gang
int f(int n, const int *a) {
  int s = 0;
#pragma acc loop gang reduction(+ : s)  // EXPECT: a gang loop of a routine may not have a reduction
  for (int i = 0; i < n; ++i) s += a[i];
  return s;
}
