// What a pointer without a data clause leads to, and memory of the device that nobody asked for.
// RUN: %hone acc -O0 %s -o %t && sh -c '%t; test $? -eq 1' 2>&1 | FileCheck %s
// RUN: %hone acc -O0 -DBEYOND %s -o %t && sh -c '%t; test $? -eq 1' 2>&1 | FileCheck --check-prefix=BEYOND %s
#include <stdlib.h>
int main(void) {
  int* a = malloc(1 << 20);
#ifdef BEYOND
  int* rows[1];
#pragma acc enter data create(a[0 : 16])
#pragma acc parallel copyout(rows) present(a)
  rows[0] = a + (1 << 28);
#pragma acc parallel copyin(rows)
  rows[0][1] = 1;
#else
#pragma acc parallel
  a[1] = 1;
#endif
  return 0;
}
// CHECK: (memory of the host; the device does not have what `a` points to here: name it in a clause, as copy(p[0:n]), or bring it with enter data)
// BEYOND: (of the device, beyond all that was allocated there)
