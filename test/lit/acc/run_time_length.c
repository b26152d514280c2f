/* An array whose length only the region knows: it runs on the host, with a note.
   RUN: %hone acc -O0 %s -o %t 2> %t.notes && %t | FileCheck %s
   RUN: FileCheck --check-prefix=NOTE %s < %t.notes
*/
#include <stdio.h>

int main(void) {
  int n = 10, sum = 0;
#pragma acc serial copy(sum)
  {
    int m = n / 2;
    int t[m];
    for (int i = 0; i < m; ++i) t[i] = i;
    for (int i = 0; i < m; ++i) sum += t[i];
  }
  printf("%d\n", sum);
  return 0;
}
/* CHECK: 10
   NOTE: run_time_length.c:9: serial in main runs on the host: {{.*}}array 't' whose length is known only at run time
*/
