void f(int n, int *a, int *b) {
#pragma acc enter data copyin(a[0:n]) finalize  // EXPECT: finalize
}
