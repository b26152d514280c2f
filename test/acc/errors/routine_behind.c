int f(int x) { return x + 1; }
#pragma acc routine(f) seq  // EXPECT: the 'routine' directive stands behind the definition of 'f'; it has to stand in front of it
int g(int x) { return f(x); }
