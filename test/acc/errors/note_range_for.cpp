void f(int* a) {
  int t[4] = {1, 2, 3, 4};
#pragma acc serial copy(a[0 : 4])
  {
    for (int x : t) a[x - 1] = x;  // NOTE: range-based for
  }
}
