void f(int n, int *a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; ++i) {
    if (a[i]) goto next;  // NOTE: goto
    a[i] = 1;
  next:;
  }
}
