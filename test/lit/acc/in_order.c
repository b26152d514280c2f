/* Loops of which nobody promises anything, and why they stay in order.
   RUN: %hone acc --explain %s | FileCheck %s
*/
void counters(int n, int *a) {
  int i;
#pragma acc kernels copy(a[0:n])
  {
    for (i = 0; i < n; i += i + 1) a[i] = 1;
    // CHECK: line [[@LINE-1]]: seq: the loop's step hangs on its counter
    for (i = 0; i * 2 < n; i++) a[i] = 1;
    // CHECK: line [[@LINE-1]]: seq: the loop's condition does not compare its counter with one bound
    for (int k = 0, j = 4; k < n; k++, j++) a[k] = j;
    // CHECK: line [[@LINE-1]]: seq: the loop does not change one counter at the end of an iteration
    for (int k = 0, j = 4; k < n; k++) a[k] = j;
    // CHECK: line [[@LINE-1]]: seq: the loop begins with more than its counter
    for (float x = 0; x < n; x += 1) a[(int)x] = 1;
    // CHECK: line [[@LINE-1]]: seq: the loop's counter is no integer
    for (int k = 0;; k++)
      if (a[k] == 9) break;
    // CHECK: line [[@LINE-2]]: seq: the loop has no condition
    for (int k = 0; k < n; k -= 1)
      if (a[k] == 9) break;
    // CHECK: line [[@LINE-2]]: seq: the loop's counter moves away from its bound
    for (int k = 1; k < n; k *= 2) a[k] = 1;
    // CHECK: line [[@LINE-1]]: seq: the loop does not add to its counter at the end of an iteration
    for (int k = 0; k < n; k += 0)
      if (a[k] == 9) break;
    // CHECK: line [[@LINE-2]]: seq: the loop's counter does not move
    for (int k = 0; a[k] < n; k += 1) a[k] = 3;
    // CHECK: line [[@LINE-1]]: seq: the loop's condition does not compare its counter
  }
}
void accesses(int n, int *a) {
  int s = 0;
#pragma acc parallel copy(a[0:n])
  {
#pragma acc loop auto
    for (int i = 0; i < n; ++i) a[(i * i) % n] = i;
    // CHECK: line [[@LINE-2]]: seq: it is not known which element a[i * i % n] (line [[@LINE-1]]) is, and others are written
  }
#pragma acc kernels copy(a[0:n])
  for (int i = 0; i < n; ++i) {
    // CHECK: line [[@LINE-1]]: seq: each iteration uses or leaves a value of s
    a[i] = s;
    s = a[i] * 2 + s;
  }
}
#include <stdio.h>
#pragma acc routine seq
int says(int x) {
  fprintf(stderr, "%d", x);
  return x;
}
// CHECK: in_order.c:[[@LINE-3]]: note: not on the device: {{.*}}fprintf
