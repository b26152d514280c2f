void f(int n, int *a, int *b) {
  int i = 0;
#pragma acc parallel loop copy(a[0:n])
  while (i < n) a[i++] = 1;  // EXPECT: OpenACC 'parallel loop' construct can only be applied to a 'for' loop
}
