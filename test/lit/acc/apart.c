/* Loops that hang on what pointers lead to: two kernels, and a test before the launch.
   RUN: %hone acc --explain %s | FileCheck %s
   RUN: %hone acc --explain --json %s | FileCheck --check-prefix=JSON %s
   RUN: %hone acc -O0 -DDRIVE %s -o %t && %t | FileCheck --check-prefix=DONE %s
*/
#include <stdio.h>
void f(int n, const float *x, float *y) {
#pragma acc kernels copyin(x[0:n]) copy(y[0:n])
  for (int i = 0; i < n; ++i) y[i] += x[i];
}
/* CHECK: loop in line 9: gang vector: no iteration needs what another one does where x and y are memory of their own on the device, which is asked before the launch; else it runs in order
   CHECK: kernel f_1: {{.*}}; one thread an iteration; only where x and y lead to memory of their own
   CHECK: kernel f_1_in_order: {{.*}}; unless x and y lead to memory of their own
   JSON: "only_apart": [
   JSON: "unless_apart": [
*/
/* A pointer that is read on the device is nothing that could be asked for. */
void g(int n, float *const *rows) {
#pragma acc kernels
  for (int i = 0; i < n; ++i) rows[1][i] = rows[0][i];
}
/* CHECK: loop in line 20: seq
   CHECK-NOT: lead to memory
*/
#ifdef DRIVE
int main(void) {
  float a[100];
  for (int i = 0; i < 100; ++i) a[i] = 1;
#pragma acc data copy(a)
  {
    f(99, a, a + 1);
  }
  printf("%g\n", a[99]);
  return 0;
}
#endif
/* DONE: 100
*/
