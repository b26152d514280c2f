#pragma acc routine  // EXPECT: OpenACC 'routine' construct must have at least one
void f(int n, int *a) { a[0] = n; }
