static int times(int x, int y) { return x * y; }
#pragma acc routine seq
int square(int x) { return times(x, x); }
