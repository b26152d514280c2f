/* Constructs that come out of macros and headers: the preprocessed text is what is compiled.
   RUN: %hone acc -O0 %s -o %t && %t | FileCheck %s
*/
#include <stdio.h>
#define LOOP _Pragma("acc parallel loop copy(a[0:n])")
#include "Inputs/negate.h"

int main(void) {
  int a[100], i, n = 100, sum = 0;
  for (i = 0; i < n; ++i) a[i] = i;
  LOOP
  for (i = 0; i < n; ++i) a[i] *= 2;
  negate(a, n);
  for (i = 0; i < n; ++i) sum += a[i];
  printf("%s:%d: %d\n", __FILE__, __LINE__, sum);
  return 0;
}
/* CHECK: {{.*}}macro.c:15: -9900
*/
