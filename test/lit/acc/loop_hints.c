/* Hints between OpenACC's directives and their loops, in text that the preprocessor has made too; lines stay.
   RUN: %hone acc -O0 -Wall -Werror %s -o %t && %t | FileCheck %s
   RUN: %hone acc -O0 -Wall -Werror -DMACRO %s -o %t && %t | FileCheck %s
*/
#include <stdio.h>
#ifdef MACRO
#define LOOP _Pragma("acc parallel loop copyout(a)")
#else
#define LOOP
#endif

int main(void) {
  int a[8];
  LOOP
  for (int i = 0; i < 8; i++) a[i] = 1;
#pragma acc parallel loop copy(a)
#pragma unroll 4
  for (int i = 0; i < 8; i++) a[i] += i;
  printf("%d %d\n", __LINE__, a[7]);
  return 0;
}
/* CHECK: 19 8
*/
