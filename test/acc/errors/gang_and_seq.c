void f(int n, int *a, int *b) {
#pragma acc parallel loop gang seq copy(a[0:n])  // EXPECT: OpenACC clause 'seq' may not appear on the same construct as a 'gang' 
  for (int i = 0; i < n; ++i) a[i] += 1;
}
