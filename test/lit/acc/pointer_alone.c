/* A pointer alone in present: what it leads to has to be there.
   RUN: %hone acc -O0 %s -o %t && env ACC_DEVICE_TYPE=host %t 1
   RUN: sh -c '%t 0; test $? -eq 0' 2>&1 | FileCheck --check-prefix=THERE %s
   RUN: sh -c '%t 1; test $? -eq 1' 2>&1 | FileCheck --check-prefix=DATA %s
   RUN: sh -c '%t 2; test $? -eq 1' 2>&1 | FileCheck --check-prefix=REGION %s
   RUN: sh -c '%t 3; test $? -eq 1' 2>&1 | FileCheck --check-prefix=HOST %s
   RUN: sh -c '%t 4; test $? -eq 1' 2>&1 | FileCheck --check-prefix=BEHIND %s
   THERE: passed
   DATA: {{^}}{{.*}}pointer_alone.c:[[#@LINE+34]]: data in main: `a` is not present: no data region, enter data or declare around this has brought it to the device
   DATA-NOT: passed
   REGION: parallel loop in main: `a` is not present:
   HOST: serial in main: `a` is not present:
   BEHIND: data in main: `a` is not present:
*/
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  const int how = atoi(words[count - 1]);
  double *a = malloc(800), *b = a + 10, *none = NULL, *empty = malloc(8);
  for (int i = 0; i < 100; i++) a[i] = i;
  if (how == 0) {
#pragma acc enter data copyin(a[5:20])
#pragma acc enter data copyin(b[30:20])
#pragma acc enter data copyin(empty[0:how])
#pragma acc data present(a, none, empty)
    printf("passed\n");
#pragma acc exit data delete(a)
#pragma acc exit data delete(b)
  } else if (how == 2) {
#pragma acc parallel loop present(a)
    for (int i = 0; i < 100; i++) a[i] = i;
  } else if (how == 3) {
#pragma acc serial present(a)
    {
      long double x = a[0];
      a[1] = (double)x;
    }
  } else {
    if (how == 4) a = b;
    if (how == 4) b -= 10;
#pragma acc enter data copyin(b[0:10]) if (how == 4)
#pragma acc data present(a)
    printf("passed\n");
  }
  return 0;
}
