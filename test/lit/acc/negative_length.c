/* Sections with a negative length are said to be so, wherever they stand.
   RUN: %hone acc -O0 %s -o %t && env ACC_DEVICE_TYPE=host %t 1 && %t 0
   RUN: sh -c '%t 1; test $? -eq 1' 2>&1 | FileCheck --check-prefix=ENTER %s
   RUN: sh -c '%t 2; test $? -eq 1' 2>&1 | FileCheck --check-prefix=EXIT %s
   RUN: sh -c '%t 3; test $? -eq 1' 2>&1 | FileCheck --check-prefix=UPDATE %s
   RUN: sh -c '%t 4; test $? -eq 1' 2>&1 | FileCheck --check-prefix=REGION %s
   RUN: sh -c '%t 5; test $? -eq 1' 2>&1 | FileCheck --check-prefix=ROWS %s
   ENTER: negative_length.c:[[#@LINE+16]]: enter data in main: `a[0:n]` has a negative length: -24 bytes
   EXIT: exit data in main: `a[0:n]` has a negative length: -24 bytes
   UPDATE: update in main: `a[0:n]` has a negative length: -24 bytes
   REGION: parallel loop in main: `a[0:n]` has a negative length: -24 bytes
   ROWS: data in main: `rows[0:1][0:n]` has a negative length: -24 bytes
*/
#include <stdlib.h>

int main(int count, char **words) {
  const int how = atoi(words[count - 1]);
  int n = -3;
  double *a = malloc(800), *rows[1];
  rows[0] = a;
  if (how == 1) {
    /* What is not done is not looked at. */
#pragma acc enter data create(a[0:n]) if (n > 0)
#pragma acc enter data create(a[0:n])
  }
#pragma acc exit data delete(a[0:n]) if (how == 2)
#pragma acc update self(a[0:n]) if (how == 3)
#pragma acc parallel loop copy(a[0:n]) if (how == 4)
  for (int i = 0; i < 1; i++) a[i] = i;
#pragma acc data create(rows[0:1][0:n]) if (how == 5)
  a[0] = 1;
  return 0;
}
