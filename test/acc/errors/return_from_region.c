void f(int n, int *a, int *b) {
#pragma acc parallel copy(a[0:n])
  {
    if (n > 3) return;  // EXPECT: invalid return out of OpenACC Compute
    a[0] = 1;
  }
}
