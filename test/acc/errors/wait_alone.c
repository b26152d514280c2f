void f(int n, int *a, int *b) {
  if (n)
#pragma acc wait  // EXPECT: may not be all that an if, a loop or a switch has
  a[0] = 1;
}
