#include <stdio.h>
#define SIZE 12
#pragma acc routine seq
int cube(int x);

int main(void) {
  int values[SIZE];
#pragma acc parallel loop copyout(values[0:SIZE])
  for (int i = 0; i < SIZE; ++i) values[i] = cube(i);
  printf("%d\n", values[SIZE - 1]);
  return 0;
}
