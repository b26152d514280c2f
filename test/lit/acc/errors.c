/* What OpenACC forbids is an error with its line; nothing is written then.
   RUN: rm -f %t.o
   RUN: sh -c '%hone acc -O0 -c %s -o %t.o; test $? -eq 1 && test ! -e %t.o' 2>&1 | FileCheck %s
   RUN: sh -c '%hone acc --explain %s; test $? -eq 1' 2>&1 | FileCheck %s
*/
void f(int n, float *x) {
#pragma acc parallel loop copyout(x[0:n]) gang seq
  for (int i = 0; i < n; ++i) x[i] = 1;
}
/* CHECK: errors.c:7:{{.*}} error: OpenACC clause 'seq' may not appear on the same construct as a 'gang' clause
*/
