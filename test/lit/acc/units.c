/* Findings count the elements of what clauses name, whatever the section looks like; bytes where nobody knows what the memory holds.
   RUN: %hone acc -O0 %s -o %t
   RUN: sh -c '%t 0; test $? -eq 1' 2>&1 | FileCheck --check-prefix=POINTER %s
   RUN: sh -c '%t 1; test $? -eq 1' 2>&1 | FileCheck --check-prefix=LATER %s
   RUN: sh -c '%t 2; test $? -eq 1' 2>&1 | FileCheck --check-prefix=ARRAY %s
   RUN: sh -c '%t 3; test $? -eq 1' 2>&1 | FileCheck --check-prefix=ROWS %s
   RUN: sh -c '%t 4; test $? -eq 1' 2>&1 | FileCheck --check-prefix=IMPLIED %s
   RUN: sh -c '%t 5; test $? -eq 1' 2>&1 | FileCheck --check-prefix=MEMBER %s
   RUN: sh -c '%t 6; test $? -eq 1' 2>&1 | FileCheck --check-prefix=BYTES %s
   POINTER: units.c:[[#@LINE+21]]: error: out of bounds in global memory, `a[0:n / 2]`, element 50 of 50: reads element 50 of `a[0:n / 2]`, which has 50 elements
   LATER: out of bounds in global memory, `a[10:n]`, element {{[0-9]+}} of 20: reads element {{[0-9]+}} of `a[10:n]`, which has 20 elements
   ARRAY: out of bounds in global memory, `m`, element 12 of 12: reads element 12 of `m`, which has 12 elements
   ROWS: out of bounds in global memory, `r[0:2][0:n]`, element 5 of 5: reads element 5 of
   IMPLIED: uninitialised read in global memory, `m`, element 3 of 12: read before anyone wrote it
   MEMBER: out of bounds in global memory, `s.a[0:n]`, element 7 of 7: reads element 7 of `s.a[0:n]`, which has 7 elements
   BYTES: out of bounds in global memory, memory of acc_copyin, byte 80 of 80: reads bytes 80 to 87 of memory of acc_copyin, which has 80 bytes
*/
#include <openacc.h>
#include <stdlib.h>
struct S {
  int n;
  int *a;
};
int main(int count, char **words) {
  int n = 100;
  double *a = malloc(800), b[100], m[3][4];
  for (int i = 0; i < 100; ++i) a[i] = i;
  switch (atoi(words[count - 1])) {
    case 0: {
#pragma acc parallel loop copyin(a[0:n / 2]) copyout(b)
      for (int i = 0; i < n; i++) b[i] = a[i];
      break;
    }
    case 1: {
      n = 20;
#pragma acc parallel loop copyin(a[10:n]) copyout(b)
      for (int i = 10; i < 40; i++) b[i] = a[i];
      break;
    }
    case 2: {
      for (int i = 0; i < 12; ++i) m[0][i] = i;
#pragma acc parallel loop copyin(m) copyout(b)
      for (int i = 0; i < 4; i++) b[i] = m[i][0];
      break;
    }
    case 3: {
      float *r[2] = {malloc(100), malloc(100)};
      n = 5;
#pragma acc parallel loop create(r[0:2][0:n]) copyout(b)
      for (int i = 5; i < 8; i++) b[i] = r[1][i];
      break;
    }
    case 4: {
#pragma acc data create(m)
      {
#pragma acc parallel loop copyout(b)
        for (int i = 3; i < 4; i++) b[i] = m[0][i];
      }
      break;
    }
    case 5: {
      struct S s;
      s.a = calloc(100, sizeof(int));
      n = 7;
#pragma acc parallel loop copyin(s, s.a[0:n]) copyout(b)
      for (int i = 0; i < 9; i++) b[i] = s.a[i];
      break;
    }
    default: {
      acc_copyin(a, 80);
#pragma acc parallel loop copyout(b)
      for (int i = 0; i < 11; i++) b[i] = a[i];
    }
  }
  return 0;
}
