void f(int n, int *a, int *b) {
  int t[10];
#pragma acc parallel loop copyout(t[4:7])  // EXPECT: OpenACC sub-array specified range
  for (int i = 4; i < 10; ++i) t[i] = 1;
}
