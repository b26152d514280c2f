/* A region that hone cannot take runs on the host, with the data that it needs brought there and back.
   RUN: %hone acc -O0 %s -o %t 2> %t.notes && %t | FileCheck %s
   RUN: FileCheck --check-prefix=NOTE %s < %t.notes
   RUN: %hone acc --explain %s | FileCheck --check-prefix=EXPLAIN %s
*/
#include <stdio.h>

int main(void) {
  int a[10], sum = 0, i;
  for (i = 0; i < 10; ++i) a[i] = i;
#pragma acc data copy(a)
  {
#pragma acc parallel loop
    for (i = 0; i < 10; ++i) a[i] *= 2;
#pragma acc serial
    for (i = 0; i < 10; ++i) fprintf(stdout, "%d ", ++a[i]);
#pragma acc parallel loop
    for (i = 0; i < 10; ++i) a[i] *= 10;
  }
  for (i = 0; i < 10; ++i) sum += a[i];
  printf("%d\n", sum);
  return 0;
}
/* CHECK: 1 3 5 7 9 11 13 15 17 19 1000
   NOTE: fallback.c:[[#]]: note: {{.*}}fallback.c:15: serial in main runs on the host: {{.*}}fprintf
   EXPLAIN: runs on the host: {{.*}}fprintf
*/
