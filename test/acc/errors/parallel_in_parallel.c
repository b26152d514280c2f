void f(int n, int *a, int *b) {
#pragma acc parallel copy(a[0:n])  // NOTE: a directive of the host in code for the device
  {
#pragma acc parallel copy(b[0:n])  // no directives of constructs in constructs
    { a[0] = 1; }
  }
}
