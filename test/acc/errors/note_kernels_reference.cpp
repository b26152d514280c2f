// A reference that one loop of kernels makes for the next.
void f(int n, int* a) {
#pragma acc kernels copy(a[0 : n])
  {
    for (int i = 0; i < n; ++i) a[i] = 1;
    int& first = a[0];  // NOTE: a reference is declared between the loops of a kernels construct
    for (int i = 0; i < n; ++i) a[i] += 2;
    first = 3;
    for (int i = 0; i < n; ++i) a[i] += 2;
  }
}
