void f(int n, int x) {
#pragma acc parallel loop copy(x)
  for (int i = 0; i < n; ++i) {
#pragma acc atomic
    x = x * (x + i);  // EXPECT: the expression of this atomic reads what it changes, which nothing makes one operation
#pragma acc atomic update
    x += x;  // EXPECT: the expression of this atomic reads what it changes, which nothing makes one operation
  }
}
