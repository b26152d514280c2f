void f(int n, int *a, int *b) {
#pragma acc host_data if(n)  // EXPECT: OpenACC 'host_data' construct must have at least one
  { a[0] = 1; }
}
