/* Two clauses of one directive whose pointers are equal: what one of them copies is copied, whatever their order, and a note says so once.
   RUN: %hone acc -O0 %s -o %t && %t 2> %t.notes | FileCheck --check-prefixes=CHECK,DEVICE %s
   RUN: FileCheck --check-prefix=NOTE --implicit-check-not=note %s < %t.notes
   RUN: env HONE_RUN_QUIET=1 %t 2>&1 | FileCheck --check-prefixes=CHECK,QUIET %s
   RUN: env ACC_DEVICE_TYPE=host %t | FileCheck %s
*/
#include <stdio.h>
#define N 8

static void in_first(double *u, double *v, double *r, int n) {
#pragma acc parallel loop copyin(u[0:n], v[0:n]) copyout(r[0:n])
  for (int i = 0; i < n; i++) r[i] = v[i] - u[i];
}
/* NOTE: aliases.c:[[#@LINE-3]]: parallel loop in in_first: note: `v[0:n]` and `r[0:n]` are of one memory here, and one of their clauses copies it out: so it is for both; with other compilers the result may be lost
*/
static void out_first(double *u, double *v, double *r, int n) {
#pragma acc parallel loop copyout(r[0:n]) copyin(u[0:n], v[0:n])
  for (int i = 0; i < n; i++) r[i] = v[i] - u[i];
}
/* NOTE: aliases.c:[[#@LINE-3]]: parallel loop in out_first: note: `r[0:n]` and `v[0:n]` are of one memory here, and one of their clauses copies it in: so it is for both
*/
static void both(double *u, double *v, double *r, int n) {
#pragma acc parallel loop copyin(v[0:n]) copyin(u[0:n]) copy(r[0:n])
  for (int i = 0; i < n; i++) r[i] = v[i] - u[i];
}
/* NOTE: aliases.c:[[#@LINE-3]]: parallel loop in both: note: `v[0:n]` and `r[0:n]` are of one memory here, and one of their clauses copies it out
*/
/* Nothing is lost where the clause that keeps the memory copies it as well. */
static void kept(double *v, double *r, int n) {
#pragma acc parallel loop copy(v[0:n]) copyin(r[0:n])
  for (int i = 0; i < n; i++) v[i] = r[i] + 1;
}
static void dynamic(double *u, double *r, double *v, int n) {
#pragma acc enter data create(r[0:n]) copyin(v[0:n]) copyin(u[0:n])
#pragma acc parallel loop present(r[0:n], u[0:n])
  for (int i = 0; i < n; i++) r[i] = v[i] - u[i];
#pragma acc exit data copyout(r[0:n]) delete(v[0:n], u[0:n])
#pragma acc enter data copyin(v[0:n])
#pragma acc parallel loop present(r[0:n])
  for (int i = 0; i < n; i++) r[i] = v[i] + 1;
#pragma acc exit data delete(v[0:n]) copyout(r[0:n])
}
/* NOTE: enter data in dynamic: note: `r[0:n]` and `v[0:n]` are of one memory here, and one of their clauses copies it in
   NOTE: exit data in dynamic: note: `v[0:n]` and `r[0:n]` are of one memory here, and one of their clauses copies it out
   NOTE: exit data in dynamic: note: `v[0:n]` and `r[0:n]` are of one memory here, and one of their clauses copies it out
*/
/* A part of the memory comes back, and no more. */
static void part(double *v, double *r, int n) {
#pragma acc data copyin(v[0:n]) copyout(r[2:3])
  {
#pragma acc parallel loop present(v[0:n])
    for (int i = 0; i < n; i++) v[i] = -v[i];
  }
}
/* NOTE: data in part: note: `v[0:n]` and `r[2:3]`
*/
static void show(const char *what, const double *r) {
  printf("%s:", what);
  for (int i = 0; i < N; i++) printf(" %g", r[i]);
  printf("\n");
}

int main(void) {
  double u[N], r[N];
  for (int i = 0; i < N; i++) {
    u[i] = 1;
    r[i] = 10 + i;
  }
  in_first(u, r, r, N);
  in_first(u, r, r, N);
  show("in_first", r);
  out_first(u, r, r, N);
  show("out_first", r);
  both(u, r, r, N);
  show("both", r);
  kept(r, r, N);
  show("kept", r);
  dynamic(u, r, r, N);
  show("dynamic", r);
  part(r, r, N);
  show("part", r);
  return 0;
}
/* CHECK: in_first: 8 9 10 11 12 13 14 15
   CHECK: out_first: 7 8 9 10 11 12 13 14
   CHECK: both: 6 7 8 9 10 11 12 13
   CHECK: kept: 7 8 9 10 11 12 13 14
   CHECK: dynamic: 7 8 9 10 11 12 13 14
   DEVICE: part: 7 8 -9 -10 -11 12 13 14
   QUIET-NOT: note
*/
