// What a pointer without a data clause leads to, and memory beyond what a section brought.
// RUN: %hone acc -O0 -DAT=1 %s -o %t && sh -c '%t; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: %hone acc -O0 -DBEYOND -DAT="(1 << 28)" %s -o %t && sh -c '%t; test $? -eq 1' 2>&1 | FileCheck --check-prefix=BEYOND %s
#include <stdlib.h>
int main(void) {
  int* a = malloc(1 << 20);
#ifdef BEYOND
#pragma acc data create(a[0 : 16])
#endif
#pragma acc parallel
  a[AT] = 1;
  return 0;
}
// CHECK: (memory of the host: name the data in a clause, as copy(p[0:n]), or bring it with enter data)
// BEYOND: (of the device, beyond all that was allocated there)
