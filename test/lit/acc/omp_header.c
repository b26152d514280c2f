// OpenMP's header and functions are there, as programs take the time by them, and the host may have none.
// RUN: %hone acc -O0 %s -o %t && %t | FileCheck %s
// RUN: %hone acc -O0 -x c++ %s -o %t && %t | FileCheck %s
#include <omp.h>
#include <stdio.h>
int main(void) {
  const double begin = omp_get_wtime();
  int sum = 0;
#pragma acc parallel loop reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  printf("%d %d of %d\n", sum, omp_get_wtime() >= begin, omp_get_max_threads() > 0);
}
// CHECK: 4950 1 of 1
