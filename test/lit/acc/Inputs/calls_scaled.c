#include <stdio.h>
#pragma acc routine seq
int scaled(int x);
void set(int);
int main(void) {
  int out[10];
  set(4);
#pragma acc parallel loop copyout(out)
  for (int i = 0; i < 10; ++i) out[i] = scaled(i);
  printf("%d\n", out[9]);
}
