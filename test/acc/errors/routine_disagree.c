#pragma acc routine seq
void f(int n, int *a);
#pragma acc routine vector
void f(int n, int *a) { a[0] = n; }  // EXPECT: the 'routine' directives of 'f' name different levels
