/* Routines whose loops cannot be shared out stay with the host, and regions that call them, directly or not, with them.
   RUN: %hone acc -O0 %s -o %t 2> %t.notes && %t | FileCheck %s
   RUN: FileCheck --check-prefix=NOTE %s < %t.notes
   RUN: %hone acc -O0 -DLIBRARY -c %s -o %t.library.o 2> %t.notes && %hone acc -O0 -DCALLER -c %s -o %t.caller.o
   RUN: sh -c '%hone acc %t.caller.o %t.library.o -o %t.linked; test $? -eq 1' 2>&1 | FileCheck --check-prefix=LINK %s
*/
#include <stdio.h>
#ifdef CALLER
#pragma acc routine worker
void big(int *a, int n);
#else
#pragma acc routine worker
void big(int *a, int n) {
  int t[20000];
#pragma acc loop worker
  for (int i = 0; i < n; ++i) t[i] = a[i];
#pragma acc loop worker
  for (int i = 0; i < n; ++i) a[i] = t[n - 1 - i];
}
#endif
/* NOTE: routine_on_host.c:[[#]]: note: big: the variables that a routine's threads share take more than 40 KB
*/
#pragma acc routine worker
static void around(int *a, int n) {
  big(a, n);
  if (n > 0) a[0] += 1;
}
#ifndef LIBRARY
int main(void) {
  int n = 100, a[100];
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma acc parallel copy(a[0:n])
  big(a, n);
#pragma acc parallel copy(a[0:n])
  around(a, n);
  printf("%d %d\n", a[0], a[3]);
  return 0;
}
#endif
/* CHECK: {{^}}1 3{{$}}
   NOTE: routine_on_host.c:33: note: {{.*}}routine_on_host.c:32: parallel in main runs on the host: it calls 'big', which stays with the host: the variables that a routine's threads share take more than 40 KB
   NOTE: routine_on_host.c:25: note: {{.*}}routine_on_host.c:34: parallel in main runs on the host: it calls 'big', which stays with the host:
   LINK: routine_on_host.c:13: 'big', which {{.*}}routine_on_host.c calls on the device, stays with the host: the variables that a routine's threads share take more than 40 KB
*/
