void f(int n, int *a, int *b) {
#pragma acc parallel loop gang(num : 4) copy(a[0:n])  // EXPECT: 'num' argument on 'gang' clause is not permitted on a 'parallel loop' 
  for (int i = 0; i < n; ++i) a[i] += 1;
}
