#pragma acc routine seq vector  // EXPECT: OpenACC clause 'vector' cannot combine with previous 'seq' clause on a
void f(int n, int *a) { a[0] = n; }
