/* Rules for make name the user's files, and the object that -o names.
   RUN: rm -rf %t && mkdir %t && cd %t && %hone acc -O0 -MMD -c %s -o rules.o && FileCheck --check-prefix=RULE %s < rules.d
   RUN: cd %t && %hone acc -O0 -MD -MF other.d -MT target -MP -c %s -o rules.o && FileCheck --check-prefix=TARGET %s < other.d
   RUN: cd %t && %hone acc -MM %s | FileCheck --check-prefix=RULE %s
   RUN: cd %t && %hone acc -O0 -MMD %s -o program && FileCheck --check-prefix=PROGRAM %s < program.d
   RULE: {{^}}rules.o:
   RULE-SAME: {{.*}}rules.c
   RULE: Inputs/twice.h
   RULE-NOT: {{[/]tmp}}
   TARGET: {{^}}target:
   PROGRAM: {{^}}program:
*/
#include "Inputs/twice.h"

int main(void) {
  int x = 1;
#pragma acc parallel copy(x)
  x = TWICE(x);
  return x != 2;
}
