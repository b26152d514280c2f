#pragma acc routine seq
int cube(int x) { return x * x * x; }
